// The text of each property of a credential, in each state that is delivered.

import { expect, test } from 'vitest'
import {
  credentialProperty,
  type DeliverableCredential,
  deliveredStates,
  textFor,
} from '#src/extensions/lms/targets/credential-text.ts'

const everything: Omit<DeliverableCredential, 'wanted'> = {
  credentialId: 'C-1',
  verifierLink: 'https://verify.example/C-1',
  issueDate: '2026-11-21',
  validTill: '2028-11-21',
}
const nothing = { credentialId: null, verifierLink: null, issueDate: null, validTill: null }
const cleared = { credential: '', link: '', issued: '', expires: '' }

const textsOf = (credential: DeliverableCredential) =>
  Object.fromEntries(credentialProperty.options.map((what) => [what, textFor(credential, what)]))

test.each([
  ['issued', { credential: 'C-1', link: 'https://verify.example/C-1', issued: '2026-11-21', expires: '2028-11-21' }],
  ['revoked', { ...cleared, credential: 'C-1' }],
  ['rejected', cleared],
  ['failed', cleared],
  ['held', cleared],
] as const)('a credential that is %s shows only what is valid in this state', (wanted, texts) => {
  expect(textsOf({ ...everything, wanted })).toEqual({ ...texts, status: wanted })
})

test.each(deliveredStates)('a credential that is %s has empty texts for what the report does not show', (wanted) => {
  expect(textsOf({ ...nothing, wanted })).toEqual({ ...cleared, status: wanted })
})
