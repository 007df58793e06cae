// Compares the deliveries with a profile that is read back.

import { describe, expect, test } from 'vitest'
import type { VerifiedDelivery } from '#src/extensions/lms/ledger/drift.ts'
import { detectDriftAt } from '#src/extensions/lms/sync/detect-drift.ts'
import type { CredentialProperty } from '#src/extensions/lms/targets/credential-text.ts'

const fields: Record<string, CredentialProperty> = { credid: 'credential', credurl: 'link', credstatus: 'status' }

const issued: VerifiedDelivery = {
  id: 1,
  issuanceId: 11,
  pipeline: 'spring',
  state: 'verified',
  wanted: 'issued',
  credentialId: 'C-1',
  verifierLink: 'https://verify.example/C-1?a=1&b=2',
  issueDate: '2026-11-21',
  validTill: null,
}
const revoked: VerifiedDelivery = { ...issued, wanted: 'revoked' }
const newer: VerifiedDelivery = { ...issued, id: 2, credentialId: 'C-2', verifierLink: 'https://verify.example/C-2' }
const link = issued.verifierLink ?? ''

const findings = (shown: Record<string, string>, ...deliveries: VerifiedDelivery[]) =>
  detectDriftAt(new Map(Object.entries(shown)), deliveries, () => fields).map(({ found }) => found.found)

describe('a profile that is read back', () => {
  test.each<[string, Record<string, string>, VerifiedDelivery[], string[]]>([
    ['shows the delivered values', { credid: 'C-1', credurl: link, credstatus: 'issued' }, [issued], ['same']],
    [
      'shows the values with entities',
      { credid: 'C-1', credurl: link.replace('&', '&amp;'), credstatus: 'issued' },
      [issued],
      ['same'],
    ],
    ['has lost a field', { credid: 'C-1', credstatus: 'issued' }, [issued], ['again']],
    ['has lost all fields', {}, [issued], ['again']],
    ['shows the earlier state held', { credid: 'C-1', credurl: link, credstatus: 'held' }, [issued], ['again']],
    [
      'shows the link of a revoked credential, as after restoring a backup',
      { credid: 'C-1', credurl: link, credstatus: 'issued' },
      [revoked],
      ['again'],
    ],
    ['shows another link', { credid: 'C-1', credurl: 'https://other', credstatus: 'issued' }, [issued], ['other']],
    ['has one field empty and another overwritten', { credid: 'X', credstatus: 'issued' }, [issued], ['other']],
    [
      'shows the newer of two credentials',
      { credid: 'C-2', credurl: newer.verifierLink ?? '', credstatus: 'issued' },
      [newer, issued],
      ['same', 'same'],
    ],
    [
      'shows the older of two credentials instead of the newer',
      { credid: 'C-1', credurl: link, credstatus: 'issued' },
      [newer, issued],
      ['other', 'same'],
    ],
  ])('is compared with the deliveries when it %s', (_, shown, deliveries, found) => {
    expect(findings(shown, ...deliveries)).toEqual(found)
  })

  test('is reported with the names of its fields only', () => {
    const [first] = detectDriftAt(new Map([['credid', 'their words']]), [issued], () => fields)
    expect(first?.found).toMatchObject({ problem: expect.stringMatching(/ to credid and /) })
    expect(JSON.stringify(first?.found)).not.toContain('their words')
  })
})
