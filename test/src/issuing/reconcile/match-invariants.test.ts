// Invariants of matching, tested with many random pages of the report and random states of the ledger.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { states, watchedStates } from '#src/domain/credential/state.ts'
import { matchItems } from '#src/issuing/reconcile/match-items.ts'
import { aCandidate, aSeenItem } from '#test/support/domain-objects.ts'

const noon = new Date('2026-03-01T12:00:00Z').getTime()
const minutes = (from: number, to: number) =>
  fc.integer({ min: from, max: to }).map((each) => new Date(noon + each * 60_000))
// There are only a few people, keys and names, so that they collide.
const person = fc.constantFrom('a1', 'b2', 'c3')
const name = fc.constantFrom('Welding', 'Cooking', null)

const candidates = fc
  .array(
    fc.record({
      state: fc.oneof(fc.constantFrom(...watchedStates), fc.constantFrom(...states)),
      matchHashes: fc.uniqueArray(person, { minLength: 1, maxLength: 2 }),
      firstSentAt: minutes(0, 30),
      certificateName: name,
      claimed: fc.boolean(),
    }),
    { maxLength: 5 },
  )
  .map((all) =>
    all.map(({ claimed, ...each }, index) =>
      aCandidate(index + 1, { ...each, lastSentAt: each.firstSentAt, claimedKey: claimed ? `k${index}` : null }),
    ),
  )

const items = fc.uniqueArray(
  fc.record({
    key: fc.constantFrom('k0', 'k1', 'k2', 'k3', 'new1', 'new2', 'new3', 'new4'),
    fingerprint: fc.constantFrom('f1', 'f2', 'f3'),
    hashes: fc.uniqueArray(person, { maxLength: 2 }),
    firstSeenAt: minutes(-10, 90),
    requestDate: fc.constantFrom('2026-03-01', '2026-03-02', '2026-02-20', null),
    certificateName: name,
  }),
  { selector: (item) => item.key, maxLength: 8 },
)

const pages = fc.record({ candidates, items }).map((page) => ({
  candidates: page.candidates,
  items: page.items.map(({ key, ...item }) => aSeenItem(key, item)),
  claims: new Map(
    page.candidates.flatMap((candidate) =>
      candidate.claimedKey ? [[candidate.claimedKey, candidate.id] as const] : [],
    ),
  ),
}))

/** Runs `check` on the claims of many pages. Fails if there are too few claims to test anything. */
function forClaims(check: (claims: ClaimFound[], page: Page) => void): void {
  let seen = 0
  fc.assert(
    fc.property(pages, (page) => {
      const found = matchItems(page.items, page).filter((finding) => finding.kind === 'claim')
      seen += found.length
      check(found, page)
    }),
    { numRuns: 2_000 },
  )
  expect(seen).toBeGreaterThan(200)
}

type Page = typeof pages extends fc.Arbitrary<infer Value> ? Value : never
type ClaimFound = Extract<ReturnType<typeof matchItems<Page['items'][number]>>[number], { kind: 'claim' }>

describe('on every page', () => {
  test('each item has one finding, in the order of the page', () => {
    fc.assert(
      fc.property(pages, (page) => {
        expect(matchItems(page.items, page).map((finding) => finding.item)).toEqual(page.items)
      }),
    )
  })

  test('no item is claimed if it has an owner, and no item is claimed twice', () => {
    forClaims((claims, page) => {
      expect(claims.filter(({ item }) => page.claims.has(item.key))).toEqual([])
      expect(new Set(claims.map(({ item }) => item.key)).size).toBe(claims.length)
    })
  })

  test('no issuance claims two items, or an item if it already has one', () => {
    forClaims((claims) => {
      expect(new Set(claims.map(({ issuance }) => issuance.id)).size).toBe(claims.length)
      expect(claims.filter(({ issuance }) => issuance.claimedKey !== null)).toEqual([])
    })
  })

  test('no item is claimed that was seen before the first call or belongs to another person', () => {
    forClaims((claims) => {
      for (const { issuance, item } of claims) {
        expect(item.firstSeenAt.getTime()).toBeGreaterThan(issuance.firstSentAt.getTime())
        expect(item.hashes.some((hash) => issuance.matchHashes.includes(hash))).toBe(true)
        expect(item.requestDate).not.toBe('2026-02-20')
        expect([...watchedStates, 'pending']).toContain(issuance.state)
      }
    })
  })
})
