// What `forget` says it found of a person, and what it left out; what `erasures` says of each.

import { expect, test } from 'vitest'
import { erasureLines, personLines, whyNobody } from '#src/extensions/privacy/commands/erasure-lines.ts'
import type { ListedErasure } from '#src/extensions/privacy/ledger/erasure-store.ts'

const row = (number: number) => ({ run: '12345678-aaaa-4000-8000-000000000000', row: number })
const none = { ids: [], rows: [], completions: [] }
const earlier = { ids: [], completions: [], expired: [], people: [], day: null }
const nothing = { ...none, others: none, ambiguous: none, recipient: null, earlier }
const listed: ListedErasure = {
  ...{ id: '9e33e3f9', kind: 'request', environment: 'production', by: 'ada', reason: 'a letter' },
  ...{ requestedAt: new Date('2026-03-01'), recordedAt: new Date('2026-03-01'), endedAt: new Date('2026-03-02') },
  ...{ revokes: true, releases: false, waitsFor: null, notRevoked: [] },
  ...{ issuances: 2, rows: 0, completions: 0, emptied: 2 },
}

test('issuances, invalid rows and completions are named, and an address is masked', () => {
  const found = { ...nothing, ids: [7, 9], rows: [row(3)], completions: [1, 2] }
  expect(personLines('i7', found)).toEqual(['i7: i7, i9, row 12345678:3, 2 completions'])
  expect(personLines('ada@example.org', found)[0]).not.toContain('ada@example.org')
})

test('what only shares an address is named, to be named as well', () => {
  const others = { ids: [8], rows: [row(4)], completions: [5] }
  expect(personLines('i7', { ...nothing, ids: [7], others })).toEqual([
    'i7: i7',
    '  left out, because they have the same address, number or identity and not the same name: i8, row 12345678:4, 1 completion. If one is of the same person, name it as well.',
  ])
})

test('an erasure with revocation says which credentials are still valid, because the service refused', () => {
  expect(erasureLines({ ...listed, notRevoked: [{ issuanceId: 4, credentialId: 'abc' }] })).toEqual([
    '9e33e3f9: ended 2026-03-02T00:00:00.000Z (production)',
    '  requested 2026-03-01T00:00:00.000Z by ada, with revocation: a letter',
    '  2 issuances and their rows, 0 other rows, 0 completions',
    '  not revoked, and still valid: i4 (abc). The service refused that, or its report does not show it. Run `credsync revoke` again, or use the portal.',
  ])
  expect(erasureLines(listed)).toHaveLength(3)
})

test('an address of several people names nobody, and says how to name them', () => {
  const ambiguous = { ids: [7, 8], rows: [row(3)], completions: [] }
  expect(whyNobody('ada@example.org', { ...nothing, ambiguous })).toMatch(
    /^a…@e….org: i7, i8, row 12345678:3 have that, with different names or none, .* RUN:ROW/,
  )
  expect(whyNobody('i7', { ...nothing, earlier: { ...earlier, ids: [7], day: '2026-03-01' } })).toMatch(
    /^i7: forgotten on 2026-03-01 \(i7\)\. --release/,
  )
  expect(whyNobody('i9', nothing)).toBe('i9: no one in the ledger matches that.')
})
