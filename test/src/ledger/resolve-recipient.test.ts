// WHO of the commands: which values find a person, by the hashes that the ledger stores for them.

import { expect, test } from 'vitest'
import { Hasher } from '#src/domain/credential/identity-hasher.ts'
import { identify } from '#src/domain/credential/person-hashes.ts'
import { resolveRecipient } from '#src/ledger/resolve-recipient.ts'
import { aCourse } from '#test/support/domain-objects.ts'

const hasher = new Hasher(Buffer.alloc(32, 1))
const correlated = ['reg_no', 'uid', 'unique_no', 'cert_no', 'membership_id'] as const
const recipient = {
  Email: 'ada@example.org',
  'Contact Number': '0301234567',
  'Register Number': 'R-7',
  Number: 'N-8',
  'Primary Value': 'Email',
}

/** Whether the value finds a row of the recipient. */
function finds(who: string, rule: Parameters<typeof identify>[2], person: Record<string, string> = recipient): boolean {
  const found = resolveRecipient({ hasher }, who)
  const { identityHash, matchHashes } = identify(person, aCourse, rule, hasher)
  const hashes = [identityHash, ...matchHashes]
  return 'hashes' in found && found.hashes.some((hash) => hashes.some((own) => own.equals(hash)))
}

test('an e-mail address finds the person, in capitals too', () => {
  const rule = { identity: ['Register Number'], occurrence: [], correlation: null }
  expect(finds('ADA@example.org', rule)).toBe(true)
})

test.each(['0301234567', '030 123-45 67', '+49 30 1234567'])('the contact number %s finds the person', (who) => {
  const person = { ...recipient, 'Dial Code': '+49', 'Primary Value': 'Contact Number' }
  const rule = { identity: ['Register Number'], occurrence: [], correlation: null }
  expect(finds(who, rule, person)).toBe(true)
})

test.each(correlated)('the value of the correlation field %s finds the person', (kind) => {
  const rule = { identity: ['Email'], occurrence: [], correlation: { field: 'Number', kind } }
  expect(finds('N-8', rule)).toBe(true)
})

test.each(['Email', 'Contact Number', 'Register Number'] as const)(
  'the identity %s alone finds the person',
  (field) => {
    const rule = { identity: [field], occurrence: [], correlation: null }
    expect(finds(recipient[field], rule)).toBe(true)
  },
)

test('an issuance id is taken as it is, and a value of nobody finds nobody', () => {
  expect(resolveRecipient({ hasher }, 'i42')).toEqual({ id: 42 })
  expect(finds('someone@example.org', { identity: [], occurrence: [], correlation: null })).toBe(false)
})
