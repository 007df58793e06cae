// What becomes of each tell whose profile is read again.

import { describe, expect, test } from 'vitest'
import { lookBackAt } from '#src/learning/look-back.ts'
import type { Said } from '#src/learning/words-for-target.ts'
import type { ShownTell } from '#src/ledger/look-back.ts'

const fields: Record<string, Said> = { credid: 'credential', credurl: 'link', credstatus: 'status' }

const issued: ShownTell = {
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
const revoked: ShownTell = { ...issued, wanted: 'revoked' }
const newer: ShownTell = { ...issued, id: 2, credentialId: 'C-2', verifierLink: 'https://verify.example/C-2' }
const link = issued.verifierLink ?? ''

const look = (shown: Record<string, string>, ...tells: ShownTell[]) =>
  lookBackAt(new Map(Object.entries(shown)), tells, () => fields).map(({ found }) => found.found)

describe('a profile that is read again', () => {
  test.each<[string, Record<string, string>, ShownTell[], string[]]>([
    ['shows what it was told', { credid: 'C-1', credurl: link, credstatus: 'issued' }, [issued], ['same']],
    [
      'shows it with entities',
      { credid: 'C-1', credurl: link.replace('&', '&amp;'), credstatus: 'issued' },
      [issued],
      ['same'],
    ],
    ['has lost a field', { credid: 'C-1', credstatus: 'issued' }, [issued], ['again']],
    ['has lost them all', {}, [issued], ['again']],
    ['says held, as it did once', { credid: 'C-1', credurl: link, credstatus: 'held' }, [issued], ['again']],
    [
      'shows the link of a credential that was revoked, as from a backup',
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
      'shows the older of two, which is not the words of the newer',
      { credid: 'C-1', credurl: link, credstatus: 'issued' },
      [newer, issued],
      ['other', 'same'],
    ],
  ])('that %s', (_, shown, tells, found) => {
    expect(look(shown, ...tells)).toEqual(found)
  })

  test('is told by the names of its fields alone', () => {
    const [first] = lookBackAt(new Map([['credid', 'their words']]), [issued], () => fields)
    expect(first?.found).toMatchObject({ problem: expect.stringMatching(/ into credid; /) })
    expect(JSON.stringify(first?.found)).not.toContain('their words')
  })
})
