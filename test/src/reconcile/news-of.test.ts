import { describe, expect, test } from 'vitest'
import type { Candidate, ReportFields } from '#src/ledger/report.ts'
import { matchItems } from '#src/reconcile/match.ts'
import { newsOf } from '#src/reconcile/news-of.ts'
import type { SeenItem } from '#src/reconcile/read-item.ts'
import { aCandidate, aPolicy, aRecipient, aSeenItem, nothingShown } from '#test/support/build.ts'

const issued: Pick<SeenItem, 'reading' | 'fields'> = {
  reading: { kind: 'state', state: 'issued' },
  fields: { ...nothingShown, reportStatus: 'Request Completed', entityUuid: 'x', credentialId: 'C-1' },
}
const stranger = { firstName: 'Bob', lastName: 'Else', email: null, contactNumber: null }

/** The news of one page. */
function news(items: SeenItem[], candidates: Candidate[], claims: [string, number][] = []) {
  return newsOf(matchItems(items, { candidates, claims: new Map(claims) }), new Date(), aPolicy())
}

/** The steps of the news, as `id: from to`. */
function stepsOf(of: ReturnType<typeof newsOf>): string[] {
  return of.moves.map((move) => `${move.id}: ${move.from} ${move.to}`)
}

describe('the news of a claimed item', () => {
  test('walks every step from unconfirmed to what the label says', () => {
    const found = news([aSeenItem('x', issued)], [aCandidate(1, { state: 'unconfirmed' })])
    expect(found.claims).toEqual([{ issuanceId: 1, state: 'unconfirmed', key: 'x', fingerprint: 'fp-x' }])
    expect(stepsOf(found)).toEqual(['1: unconfirmed requested', '1: requested in_progress', '1: in_progress issued'])
    expect(found.moves.map((move) => move.event)).toEqual(['found in the report', 'report', 'report'])
  })

  test('with a label nobody knows proves that the service has the request, and no more', () => {
    const odd = aSeenItem('x', { reading: { kind: 'unknown' } })
    expect(stepsOf(news([odd], [aCandidate(1, { state: 'unconfirmed' })]))).toEqual([
      '1: unconfirmed requested',
      '1: requested requested',
    ])
    expect(stepsOf(news([odd], [aCandidate(1)]))).toEqual(['1: requested requested'])
  })

  test('that shows another person is claimed and held, and says which fields differ and not what they hold', () => {
    const found = news([aSeenItem('x', { ...issued, person: stranger })], [aCandidate(1, { recipient: aRecipient(1) })])
    expect(found.claims).toHaveLength(1)
    expect(stepsOf(found)).toEqual(['1: requested held'])
    expect(found.moves[0]?.reason).toContain('First Name, Last Name')
    expect(JSON.stringify(found.moves)).not.toMatch(/Bob|Else|Ada1|Lovelace/)
  })

  test.each([
    [
      'rejected',
      'Request rejected',
      'the certification body rejected it; ask them why. credsync does not send it again',
    ],
    [
      'failed',
      'Request failed',
      'the service could not issue it (Request failed); ask its support. credsync does not send it again by itself',
    ],
  ] as const)('that was %s says whom to ask', (state, reportStatus, reason) => {
    const over = aSeenItem('x', { reading: { kind: 'state', state }, fields: { ...nothingShown, reportStatus } })
    const found = news([over], [aCandidate(1, { state: 'in_progress' })])
    expect(found.moves.at(-1)).toMatchObject({ to: state, reason })
  })

  test('keeps ids and labels as evidence, and nothing of the person', () => {
    const found = news([aSeenItem('x', issued)], [aCandidate(1)])
    expect(found.moves[0]?.evidence).toEqual({
      label: 'Request Completed',
      item: 'x',
      credential: 'C-1',
      requestDate: '2026-03-01',
    })
  })
})

describe('the news of a followed item', () => {
  const mine = (state: Candidate['state'], shown: Partial<ReportFields> = {}) =>
    aCandidate(1, { state, claimedKey: 'x', shown: { ...nothingShown, ...shown } })
  const follow = (item: Partial<SeenItem>, candidate: Candidate) =>
    news([aSeenItem('x', item)], [candidate], [['x', 1]])

  test('is nothing when it shows what it showed before', () => {
    expect(follow({}, mine('requested', { reportStatus: 'Request inqueue', entityUuid: 'x' })).moves).toEqual([])
  })

  test('is a step when the label has gone on', () => {
    expect(stepsOf(follow(issued, mine('in_progress')))).toEqual(['1: in_progress issued'])
  })

  test.each<Candidate['state']>(['in_progress', 'issued', 'revoked', 'rejected', 'failed', 'held'])(
    'never takes %s backwards',
    (state) => {
      for (const move of follow({}, mine(state)).moves) expect(move.to).toBe(state)
    },
  )

  test.each<Candidate['state']>(['requested', 'in_progress', 'issued'])('with an unknown label leaves %s', (state) => {
    const odd = { reading: { kind: 'unknown' as const }, fields: { ...nothingShown, reportStatus: 'Request lost' } }
    expect(stepsOf(follow(odd, mine(state)))).toEqual([`1: ${state} ${state}`])
  })

  test('is told when a link comes later than its label', () => {
    const fields = { ...issued.fields, verifierLink: 'https://verify.example.org/C-1' }
    expect(stepsOf(follow({ ...issued, fields }, mine('issued', issued.fields)))).toEqual(['1: issued issued'])
  })

  test('is nothing when the report no longer shows what it showed', () => {
    const known = { ...issued.fields, verifierLink: 'https://verify.example.org/C-1' }
    expect(follow(issued, mine('issued', known)).moves).toEqual([])
  })

  test('takes an issued one to revoked', () => {
    const revoked = { ...issued, reading: { kind: 'state' as const, state: 'revoked' as const } }
    expect(stepsOf(follow(revoked, mine('issued')))).toEqual(['1: issued revoked'])
  })

  test('upgrades a claim by fingerprint', () => {
    const found = news([aSeenItem('x')], [aCandidate(1, { claimedKey: 'fp-x' })], [['fp-x', 1]])
    expect(found.upgrades).toEqual([{ from: 'fp-x', to: 'x' }])
  })
})

describe('the news of items that do not add up', () => {
  test('holds an open row when the report shows a second item for it', () => {
    const found = news([aSeenItem('y')], [aCandidate(1, { claimedKey: 'x' })])
    expect(found.surplus).toEqual([{ issuanceId: 1, key: 'y', fingerprint: 'fp-y' }])
    expect(stepsOf(found)).toEqual(['1: requested held'])
  })

  test('holds a row at once when two fresh items of one page look like its person', () => {
    const found = news([aSeenItem('x'), aSeenItem('y')], [aCandidate(1)])
    expect(found.claims.map((claim) => claim.key)).toEqual(['x'])
    expect(found.surplus.map((item) => item.key)).toEqual(['y'])
    expect(stepsOf(found)).toEqual(['1: requested held'])
  })

  test('counts a second item of a settled row and leaves its state', () => {
    const found = news([aSeenItem('y')], [aCandidate(1, { claimedKey: 'x', state: 'issued' })])
    expect(found.surplus).toHaveLength(1)
    expect(found.moves).toEqual([])
  })

  test('holds all open rows that an item fits, and claims for none', () => {
    const found = news([aSeenItem('x')], [aCandidate(1), aCandidate(2, { state: 'unconfirmed' })])
    expect(found.claims).toEqual([])
    expect(stepsOf(found)).toEqual(['1: requested held', '2: unconfirmed held'])
  })
})

describe('the name of a course', () => {
  const people = [aCandidate(1), aCandidate(2, { matchHashes: ['b2'] })]
  const named = (first: string | null, second: string | null, candidates = people) =>
    news(
      [aSeenItem('x', { certificateName: first }), aSeenItem('y', { certificateName: second, hashes: ['b2'] })],
      candidates,
    ).certificateNames.map(([, name]) => name)

  test('is believed when all claimed items of the page agree', () => {
    expect(named('Welding', 'Welding')).toEqual(['Welding'])
    expect(named('Welding', null)).toEqual(['Welding'])
  })

  test('is not believed when they differ', () => {
    expect(named('Welding', 'Cooking')).toEqual([])
  })

  test('is not asked for again once it is known', () => {
    expect(
      named(
        'Welding',
        'Welding',
        people.map((each) => ({ ...each, certificateName: 'Welding' })),
      ),
    ).toEqual([])
  })

  test('is not learned from an item that shows another person', () => {
    const foreign = aSeenItem('x', { certificateName: 'Cooking', person: stranger })
    expect(news([foreign], [aCandidate(1, { recipient: aRecipient(1) })]).certificateNames).toEqual([])
  })
})
