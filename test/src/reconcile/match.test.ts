import { describe, expect, test } from 'vitest'
import type { Candidate } from '#src/ledger/report.ts'
import { matchItems } from '#src/reconcile/match.ts'
import type { SeenItem } from '#src/reconcile/read-item.ts'
import { aCandidate, aSeenItem } from '#test/support/build.ts'

/** What becomes of each item, as `kind` or `kind of issuance`. */
function matched(items: SeenItem[], candidates: Candidate[], claims: [string, number][] = []): string[] {
  return matchItems(items, { candidates, claims: new Map(claims) }).map((finding) => {
    if (finding.kind === 'foreign') return 'foreign'
    if (finding.kind === 'follow')
      return `follow of ${finding.issuanceId}${finding.upgradeFrom ? ` upgraded from ${finding.upgradeFrom}` : ''}`
    if (finding.kind === 'ambiguous') return `ambiguous of ${finding.issuances.map((each) => each.id).join(' and ')}`
    return `${finding.kind} of ${finding.issuance.id}`
  })
}

const one = (item: Partial<SeenItem>, candidate: Partial<Candidate> = {}) =>
  matched([aSeenItem('x', item)], [aCandidate(1, candidate)])[0]

describe('two items for one row', () => {
  test('are told apart by whom they show, whichever comes first', () => {
    const strange = (_: Candidate, item: SeenItem) => item.key === 'wrong'
    const known = { candidates: [aCandidate(1)], claims: new Map<string, number>() }
    const found = matchItems([aSeenItem('wrong'), aSeenItem('right')], known, strange)
    expect(found.map(({ kind, item }) => `${item.key} ${kind}`)).toEqual(['wrong surplus', 'right claim'])
  })
})

describe('an item that nobody has claimed', () => {
  test('is claimed by the one issuance that it fits', () => {
    expect(one({})).toBe('claim of 1')
  })

  test.each<[Candidate['state'], string]>([
    ['unconfirmed', 'claim of 1'],
    ['requested', 'claim of 1'],
    ['in_progress', 'claim of 1'],
    ['sending', 'foreign'],
    ['pending', 'claim of 1'],
    ['held', 'foreign'],
    ['failed', 'foreign'],
    ['issued', 'foreign'],
  ])('of an issuance that is %s is: %s', (state, finding) => {
    expect(one({}, { state })).toBe(finding)
  })

  test('of another person is foreign', () => {
    expect(one({ hashes: ['b2'] })).toBe('foreign')
  })

  test('fits by any of the hashes that it shows, and is counted once when it fits by two', () => {
    expect(one({ hashes: ['b2', 'a1', 'a2'] }, { matchHashes: ['a1', 'a2'] })).toBe('claim of 1')
  })

  test('that was seen before the first sending is never claimed', () => {
    expect(one({ firstSeenAt: new Date('2026-03-01T11:59:59.999Z') })).toBe('foreign')
    expect(one({ firstSeenAt: new Date('2026-03-01T12:00:00Z') })).toBe('foreign')
    expect(one({ firstSeenAt: new Date('2026-03-01T12:00:00.001Z') })).toBe('claim of 1')
  })

  test.each<[string | null, string]>([
    ['2026-02-27', 'foreign'],
    ['2026-02-28', 'claim of 1'],
    ['2026-03-02', 'claim of 1'],
    ['2026-03-03', 'claim of 1'],
    ['2026-03-04', 'foreign'],
    [null, 'claim of 1'],
  ])('dated %s, for a row sent on the first and again on the second of March, is: %s', (requestDate, finding) => {
    expect(one({ requestDate }, { lastSentAt: new Date('2026-03-02T08:00:00Z') })).toBe(finding)
  })

  test('of another course is foreign once the name of the course is known', () => {
    expect(one({ certificateName: 'Cooking' }, { certificateName: 'Welding' })).toBe('foreign')
    expect(one({ certificateName: 'Welding' }, { certificateName: 'Welding' })).toBe('claim of 1')
    expect(one({ certificateName: 'Cooking' }, { certificateName: null })).toBe('claim of 1')
    expect(one({ certificateName: null }, { certificateName: 'Welding' })).toBe('claim of 1')
  })

  test('that fits two open issuances is nobody’s', () => {
    expect(matched([aSeenItem('x')], [aCandidate(1), aCandidate(2)])).toEqual(['ambiguous of 1 and 2'])
  })

  test('that fits an open issuance and one that waits for a person is nobody’s', () => {
    expect(matched([aSeenItem('x')], [aCandidate(1, { state: 'held' }), aCandidate(2)])).toEqual(['ambiguous of 2'])
  })

  test('goes to the open one when the other has its item already', () => {
    const settled = aCandidate(1, { state: 'issued', claimedKey: 'old' })
    expect(matched([aSeenItem('x')], [settled, aCandidate(2)])).toEqual(['claim of 2'])
  })

  test('is surplus when the issuance has its item already', () => {
    expect(one({}, { claimedKey: 'mine' })).toBe('surplus of 1')
    expect(one({}, { claimedKey: 'mine', state: 'issued' })).toBe('surplus of 1')
    expect(one({}, { claimedKey: 'mine', state: 'held' })).toBe('surplus of 1')
  })

  test('is nobody’s surplus while a call for the same person is under way', () => {
    const settled = aCandidate(1, { state: 'issued', claimedKey: 'old' })
    expect(matched([aSeenItem('x')], [settled, aCandidate(2, { state: 'sending' })])).toEqual(['foreign'])
  })

  test('beside its twin on one page is surplus: the first is claimed', () => {
    expect(matched([aSeenItem('x'), aSeenItem('y')], [aCandidate(1)])).toEqual(['claim of 1', 'surplus of 1'])
  })
})

describe('an item that is claimed', () => {
  test('is followed, whatever it shows now', () => {
    const changed = aSeenItem('x', { hashes: ['b2'], requestDate: '2020-01-01', certificateName: 'Cooking' })
    expect(matched([changed], [aCandidate(1, { claimedKey: 'x' })], [['x', 1]])).toEqual(['follow of 1'])
  })

  test('is followed also when its owner is not among the candidates', () => {
    expect(matched([aSeenItem('x')], [], [['x', 9]])).toEqual(['follow of 9'])
  })

  test('by its fingerprint is upgraded when it has an id of its own', () => {
    const found = matched([aSeenItem('x')], [aCandidate(1, { claimedKey: 'fp-x' })], [['fp-x', 1]])
    expect(found).toEqual(['follow of 1 upgraded from fp-x'])
  })

  test('by its fingerprint is upgraded to one of two that look alike; the other is surplus', () => {
    const alike = [aSeenItem('x', { fingerprint: 'fp' }), aSeenItem('y', { fingerprint: 'fp' })]
    const found = matched(alike, [aCandidate(1, { claimedKey: 'fp' })], [['fp', 1]])
    expect(found).toEqual(['follow of 1 upgraded from fp', 'surplus of 1'])
  })
})
