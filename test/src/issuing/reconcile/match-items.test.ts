// Matching report items to issuances.

import { describe, expect, test } from 'vitest'
import { matchItems } from '#src/issuing/reconcile/match-items.ts'
import type { SeenItem } from '#src/issuing/reconcile/read-report-item.ts'
import type { Candidate } from '#src/ledger/report/report-items.ts'
import { aCandidate, aSeenItem } from '#test/support/domain-objects.ts'

/** Returns the finding for each item, as `kind` or `kind of issuance`. */
function matched(items: SeenItem[], candidates: Candidate[], claims: [string, number][] = []): string[] {
  return matchItems(items, { candidates, claims: new Map(claims) }).map((finding) => {
    if (finding.kind === 'foreign') return 'foreign'
    if (finding.kind === 'follow')
      return `follow of ${finding.issuanceId}${finding.upgradeFrom ? ` upgraded from ${finding.upgradeFrom}` : ''}`
    if (finding.kind === 'ambiguous')
      return `ambiguous of ${finding.issuances.map((issuance) => issuance.id).join(' and ')}`
    return `${finding.kind} of ${finding.issuance.id}`
  })
}

const findingFor = (item: Partial<SeenItem>, candidate: Partial<Candidate> = {}) =>
  matched([aSeenItem('x', item)], [aCandidate(1, candidate)])[0]

describe('two items for one row', () => {
  test('are distinguished by the person they show, in either order', () => {
    const isSomebodyElse = (_: Candidate, item: SeenItem) => item.key === 'wrong'
    const known = { candidates: [aCandidate(1)], claims: new Map<string, number>() }
    const found = matchItems([aSeenItem('wrong'), aSeenItem('right')], known, isSomebodyElse)
    expect(found.map(({ kind, item }) => `${item.key} ${kind}`)).toEqual(['wrong surplus', 'right claim'])
  })

  test('are distinguished even if another row or no row has one of the hashes', () => {
    const isSomebodyElse = (candidate: Candidate, item: SeenItem) => item.key === 'wrong' && candidate.id === 1
    const settled = aCandidate(2, { matchHashes: ['a1'], state: 'issued', claimedKey: 'old' })
    const known = { candidates: [aCandidate(1), settled], claims: new Map<string, number>() }
    const items = [aSeenItem('wrong', { hashes: ['a1', 'nobody'] }), aSeenItem('right')]
    const found = matchItems(items, known, isSomebodyElse)
    expect(found.map(({ kind, item }) => `${item.key} ${kind}`)).toEqual(['wrong surplus', 'right claim'])
  })
})

describe('an unclaimed item', () => {
  test('is claimed by the only issuance that it matches', () => {
    expect(findingFor({})).toBe('claim of 1')
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
  ])('whose only match is %s is: %s', (state, finding) => {
    expect(findingFor({}, { state })).toBe(finding)
  })

  test('of another person is foreign', () => {
    expect(findingFor({ hashes: ['b2'] })).toBe('foreign')
  })

  test('matches by any of its hashes, and is claimed once if two hashes match', () => {
    expect(findingFor({ hashes: ['b2', 'a1', 'a2'] }, { matchHashes: ['a1', 'a2'] })).toBe('claim of 1')
  })

  test('that was seen before the first call is not claimed', () => {
    expect(findingFor({ firstSeenAt: new Date('2026-03-01T11:59:59.999Z') })).toBe('foreign')
    expect(findingFor({ firstSeenAt: new Date('2026-03-01T12:00:00Z') })).toBe('foreign')
    expect(findingFor({ firstSeenAt: new Date('2026-03-01T12:00:00.001Z') })).toBe('claim of 1')
  })

  test.each<[string | null, string]>([
    ['2026-02-27', 'foreign'],
    ['2026-02-28', 'claim of 1'],
    ['2026-03-02', 'claim of 1'],
    ['2026-03-03', 'claim of 1'],
    ['2026-03-04', 'foreign'],
    [null, 'claim of 1'],
  ])('dated %s, for a row sent on the first and again on the second of March, is: %s', (requestDate, finding) => {
    expect(findingFor({ requestDate }, { lastSentAt: new Date('2026-03-02T08:00:00Z') })).toBe(finding)
  })

  test('of another course is foreign once the course’s name is known', () => {
    expect(findingFor({ certificateName: 'Cooking' }, { certificateName: 'Welding' })).toBe('foreign')
    expect(findingFor({ certificateName: 'Welding' }, { certificateName: 'Welding' })).toBe('claim of 1')
    expect(findingFor({ certificateName: 'Cooking' }, { certificateName: null })).toBe('claim of 1')
    expect(findingFor({ certificateName: null }, { certificateName: 'Welding' })).toBe('claim of 1')
  })

  test('that matches two open issuances is claimed by neither', () => {
    expect(matched([aSeenItem('x')], [aCandidate(1), aCandidate(2)])).toEqual(['ambiguous of 1 and 2'])
  })

  test('that matches an open issuance and a held one is claimed by neither', () => {
    expect(matched([aSeenItem('x')], [aCandidate(1, { state: 'held' }), aCandidate(2)])).toEqual(['ambiguous of 2'])
  })

  test('is claimed by the open issuance if the other one already has an item', () => {
    const settled = aCandidate(1, { state: 'issued', claimedKey: 'old' })
    expect(matched([aSeenItem('x')], [settled, aCandidate(2)])).toEqual(['claim of 2'])
  })

  test('is surplus if the issuance already has an item', () => {
    expect(findingFor({}, { claimedKey: 'mine' })).toBe('surplus of 1')
    expect(findingFor({}, { claimedKey: 'mine', state: 'issued' })).toBe('surplus of 1')
    expect(findingFor({}, { claimedKey: 'mine', state: 'held' })).toBe('surplus of 1')
  })

  test('is surplus to the issuance that was sent last, in whatever order they are known', () => {
    const early = aCandidate(1, { state: 'issued', claimedKey: 'one', firstSentAt: new Date('2026-02-28T12:00:00Z') })
    const late = aCandidate(2, { state: 'issued', claimedKey: 'two', matchHashes: early.matchHashes })
    for (const candidates of [
      [early, late],
      [late, early],
    ])
      expect(matched([aSeenItem('x')], candidates)).toEqual(['surplus of 2'])
  })

  test('is not surplus while a call for the same person is open', () => {
    const settled = aCandidate(1, { state: 'issued', claimedKey: 'old' })
    expect(matched([aSeenItem('x')], [settled, aCandidate(2, { state: 'sending' })])).toEqual(['foreign'])
  })

  test('is surplus if an identical item before it on the page was claimed', () => {
    expect(matched([aSeenItem('x'), aSeenItem('y')], [aCandidate(1)])).toEqual(['claim of 1', 'surplus of 1'])
  })
})

describe('a claimed item', () => {
  test('is followed, whatever it shows by now', () => {
    const changed = aSeenItem('x', { hashes: ['b2'], requestDate: '2020-01-01', certificateName: 'Cooking' })
    expect(matched([changed], [aCandidate(1, { claimedKey: 'x' })], [['x', 1]])).toEqual(['follow of 1'])
  })

  test('is followed even if its owner is not among the candidates', () => {
    expect(matched([aSeenItem('x')], [], [['x', 9]])).toEqual(['follow of 9'])
  })

  test('with a claim by fingerprint is upgraded when it gets an id', () => {
    const found = matched([aSeenItem('x')], [aCandidate(1, { claimedKey: 'fp-x' })], [['fp-x', 1]])
    expect(found).toEqual(['follow of 1 upgraded from fp-x'])
  })

  test('with a claim by fingerprint is upgraded for one of two identical items, and the other one is surplus', () => {
    const identical = [aSeenItem('x', { fingerprint: 'fp' }), aSeenItem('y', { fingerprint: 'fp' })]
    const found = matched(identical, [aCandidate(1, { claimedKey: 'fp' })], [['fp', 1]])
    expect(found).toEqual(['follow of 1 upgraded from fp', 'surplus of 1'])
  })
})
