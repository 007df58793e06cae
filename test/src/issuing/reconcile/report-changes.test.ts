// The changes that are written for the findings of a page of the report.

import { describe, expect, test } from 'vitest'
import { matchItems } from '#src/issuing/reconcile/match-items.ts'
import type { SeenItem } from '#src/issuing/reconcile/read-report-item.ts'
import { reportChanges } from '#src/issuing/reconcile/report-changes.ts'
import type { Candidate, ReportFields } from '#src/ledger/report/report-items.ts'
import { aCandidate, aPolicy, aRecipient, aSeenItem, nothingShown } from '#test/support/domain-objects.ts'

const issued: Pick<SeenItem, 'reading' | 'fields'> = {
  reading: { kind: 'state', state: 'issued' },
  fields: { ...nothingShown, reportStatus: 'Request Completed', entityUuid: 'x', credentialId: 'C-1' },
}
const stranger = { firstName: 'Bob', lastName: 'Else', email: null, contactNumber: null }

/** Returns the changes for one page. */
function changesOf(items: SeenItem[], candidates: Candidate[], claims: [string, number][] = []) {
  return reportChanges(matchItems(items, { candidates, claims: new Map(claims) }), new Date(), aPolicy())
}

/** Returns the transitions in the changes, as `id: from to`. */
function stepsOf(changes: ReturnType<typeof reportChanges>): string[] {
  return changes.moves.map((move) => `${move.id}: ${move.from} ${move.to}`)
}

describe('a newly claimed item', () => {
  test('takes its row through every transition from unconfirmed to the state of its label', () => {
    const found = changesOf([aSeenItem('x', issued)], [aCandidate(1, { state: 'unconfirmed' })])
    expect(found.claims).toEqual([{ issuanceId: 1, state: 'unconfirmed', key: 'x', fingerprint: 'fp-x' }])
    expect(stepsOf(found)).toEqual(['1: unconfirmed requested', '1: requested in_progress', '1: in_progress issued'])
    expect(found.moves.map((move) => move.event)).toEqual(['found in the report', 'report', 'report'])
  })

  test('with an unknown label proves only that the service has the request', () => {
    const odd = aSeenItem('x', { reading: { kind: 'unknown' } })
    expect(stepsOf(changesOf([odd], [aCandidate(1, { state: 'unconfirmed' })]))).toEqual([
      '1: unconfirmed requested',
      '1: requested requested',
    ])
    const followed = changesOf([odd], [aCandidate(1)])
    expect(stepsOf(followed)).toEqual(['1: requested requested'])
    expect(followed.moves.map((move) => move.event)).toEqual(['report'])
  })

  test('that shows another person is claimed and its row held, with the names but not the values of the differing fields', () => {
    const found = changesOf(
      [aSeenItem('x', { ...issued, person: stranger })],
      [aCandidate(1, { recipient: aRecipient(1) })],
    )
    expect(found.claims).toHaveLength(1)
    expect(stepsOf(found)).toEqual(['1: requested held'])
    expect(found.moves[0]?.reason).toContain('First Name, Last Name')
    expect(JSON.stringify(found.moves)).not.toMatch(/Bob|Else|Ada1|Lovelace/)
  })

  test.each([
    [
      'rejected',
      'Request rejected',
      'the certification body rejected the request; ask the body why. credsync does not send the row again',
    ],
    [
      'failed',
      'Request failed',
      'the service could not issue the credential (Request failed); ask the support of the service. credsync does not send the row again automatically',
    ],
  ] as const)('that was %s gives a reason that says whom to ask', (state, reportStatus, reason) => {
    const settled = aSeenItem('x', { reading: { kind: 'state', state }, fields: { ...nothingShown, reportStatus } })
    const found = changesOf([settled], [aCandidate(1, { state: 'in_progress' })])
    expect(found.moves.at(-1)).toMatchObject({ to: state, reason })
  })

  test('leaves ids and labels as evidence, and no personal data', () => {
    const found = changesOf([aSeenItem('x', issued)], [aCandidate(1)])
    expect(found.moves[0]?.evidence).toEqual({
      label: 'Request Completed',
      item: 'x',
      credential: 'C-1',
      requestDate: '2026-03-01',
    })
  })
})

describe('an item that was claimed before', () => {
  const claimedCandidate = (state: Candidate['state'], shown: Partial<ReportFields> = {}) =>
    aCandidate(1, { state, claimedKey: 'x', shown: { ...nothingShown, ...shown } })
  const follow = (item: Partial<SeenItem>, candidate: Candidate) =>
    changesOf([aSeenItem('x', item)], [candidate], [['x', 1]])

  test('changes nothing if it shows the same as before', () => {
    expect(
      follow({}, claimedCandidate('requested', { reportStatus: 'Request inqueue', entityUuid: 'x' })).moves,
    ).toEqual([])
  })

  test('causes a transition if its label has advanced', () => {
    expect(stepsOf(follow(issued, claimedCandidate('in_progress')))).toEqual(['1: in_progress issued'])
  })

  test.each<Candidate['state']>(['in_progress', 'issued', 'revoked', 'rejected', 'failed', 'held'])(
    'never moves a row that is %s backwards',
    (state) => {
      for (const move of follow({}, claimedCandidate(state)).moves) expect(move.to).toBe(state)
    },
  )

  test.each<Candidate['state']>(['requested', 'in_progress', 'issued'])(
    'with an unknown label does not change the state of a row that is %s',
    (state) => {
      const odd = { reading: { kind: 'unknown' as const }, fields: { ...nothingShown, reportStatus: 'Request lost' } }
      expect(stepsOf(follow(odd, claimedCandidate(state)))).toEqual([`1: ${state} ${state}`])
    },
  )

  test('is recorded again if its link appears later than its label', () => {
    const fields = { ...issued.fields, verifierLink: 'https://verify.example.org/C-1' }
    expect(stepsOf(follow({ ...issued, fields }, claimedCandidate('issued', issued.fields)))).toEqual([
      '1: issued issued',
    ])
  })

  test('changes nothing if the report no longer shows a value', () => {
    const known = { ...issued.fields, verifierLink: 'https://verify.example.org/C-1' }
    expect(follow(issued, claimedCandidate('issued', known)).moves).toEqual([])
  })

  test('changes an issued row to revoked if it is revoked', () => {
    const revoked = { ...issued, reading: { kind: 'state' as const, state: 'revoked' as const } }
    expect(stepsOf(follow(revoked, claimedCandidate('issued')))).toEqual(['1: issued revoked'])
  })

  test('upgrades a claim by fingerprint once it has an id', () => {
    const found = changesOf([aSeenItem('x')], [aCandidate(1, { claimedKey: 'fp-x' })], [['fp-x', 1]])
    expect(found.upgrades).toEqual([{ from: 'fp-x', to: 'x' }])
  })
})

describe('inconsistent items', () => {
  test('hold an open row if the report shows a second item for it', () => {
    const found = changesOf([aSeenItem('y')], [aCandidate(1, { claimedKey: 'x' })])
    expect(found.surplus).toEqual([{ issuanceId: 1, key: 'y', fingerprint: 'fp-y' }])
    expect(stepsOf(found)).toEqual(['1: requested held'])
  })

  test('hold a row immediately if two new items of one page show its person', () => {
    const found = changesOf([aSeenItem('x'), aSeenItem('y')], [aCandidate(1)])
    expect(found.claims.map((claim) => claim.key)).toEqual(['x'])
    expect(found.surplus.map((item) => item.key)).toEqual(['y'])
    expect(stepsOf(found)).toEqual(['1: requested held'])
  })

  test('count as surplus for a settled row and do not change its state', () => {
    const found = changesOf([aSeenItem('y')], [aCandidate(1, { claimedKey: 'x', state: 'issued' })])
    expect(found.surplus).toHaveLength(1)
    expect(found.moves).toEqual([])
  })

  test('hold all open rows that one item matches, and none of the rows claims it', () => {
    const found = changesOf([aSeenItem('x')], [aCandidate(1), aCandidate(2, { state: 'unconfirmed' })])
    expect(found.claims).toEqual([])
    expect(stepsOf(found)).toEqual(['1: requested held', '2: unconfirmed held'])
  })
})

describe('an operator who has decided about a row', () => {
  const [before, seen, after] = [12, 13, 14].map((hour) => new Date(`2026-03-01T${hour}:00:00Z`)) as [Date, Date, Date]
  const decided = (decidedAt: Date, more: Partial<Candidate> = {}) =>
    aCandidate(1, { state: 'unconfirmed', recipient: aRecipient(1), decidedAt, ...more })
  const fromStranger = aSeenItem('x', { ...issued, person: stranger, firstSeenAt: seen })
  const own = aSeenItem('x', { ...issued, firstSeenAt: seen })
  const held = ['1: unconfirmed held']
  const followed = ['1: unconfirmed requested', '1: requested in_progress', '1: in_progress issued']

  test.each([
    ['after the item was seen has considered another name', decided(after), fromStranger, followed],
    ['when the item was seen has considered another name', decided(seen), fromStranger, followed],
    ['before the item was seen has not considered another name', decided(before), fromStranger, held],
    [
      'although there were several items has not decided about one',
      decided(after, { surplusItems: 1 }),
      fromStranger,
      held,
    ],
    [
      'although there were several items is not asked about the own one',
      decided(after, { surplusItems: 1 }),
      own,
      followed,
    ],
  ])('%s', (_, candidate, item, steps) => {
    expect(stepsOf(changesOf([item], [candidate]))).toEqual(steps)
  })

  test('knew the second of two items, and is not asked again', () => {
    const candidate = decided(after, { state: 'requested', claimedKey: 'x', surplusItems: 1 })
    const second = aSeenItem('y', { person: stranger, firstSeenAt: seen })
    expect(changesOf([second], [candidate]).moves).toEqual([])
    expect(stepsOf(changesOf([second], [{ ...candidate, decidedAt: before }]))).toEqual(['1: requested held'])
  })

  test('is told why a row is held, in the evidence too', () => {
    const { reason, evidence, fields } = changesOf([fromStranger], [decided(before)]).moves[0] ?? {}
    expect(evidence).toMatchObject({ why: reason, item: 'x', credential: 'C-1' })
    expect(fields).toBeNull()
  })
})

describe('an item of another person', () => {
  test('on the page of the row’s own item does not make that one of two', () => {
    const own = aSeenItem('x', issued)
    const other = aSeenItem('y', { person: stranger })
    const found = reportChanges(
      matchItems(
        [own, other],
        { candidates: [aCandidate(1, { recipient: aRecipient(1) })], claims: new Map() },
        (_, item) => item.key === 'y',
      ),
      new Date(),
      aPolicy(),
    )
    expect(stepsOf(found)).toEqual(['1: requested in_progress', '1: in_progress issued'])
  })
})

describe('the name of a course', () => {
  const people = [aCandidate(1), aCandidate(2, { matchHashes: ['b2'] })]
  const named = (first: string | null, second: string | null, candidates = people) =>
    changesOf(
      [aSeenItem('x', { certificateName: first }), aSeenItem('y', { certificateName: second, hashes: ['b2'] })],
      candidates,
    ).certificateNames.map(([, name]) => name)

  test('is learned if all claimed items of the page agree', () => {
    expect(named('Welding', 'Welding')).toEqual(['Welding'])
    expect(named('Welding', null)).toEqual(['Welding'])
  })

  test('is not learned if they differ', () => {
    expect(named('Welding', 'Cooking')).toEqual([])
  })

  test('is not learned again once it is known', () => {
    expect(
      named(
        'Welding',
        'Welding',
        people.map((person) => ({ ...person, certificateName: 'Welding' })),
      ),
    ).toEqual([])
  })

  test('is not learned from an item that shows another person', () => {
    const foreign = aSeenItem('x', { certificateName: 'Cooking', person: stranger })
    expect(changesOf([foreign], [aCandidate(1, { recipient: aRecipient(1) })]).certificateNames).toEqual([])
  })
})

test('an item that may belong to a held row proves that the row arrived, and changes nothing', () => {
  const found = changesOf([aSeenItem('x')], [aCandidate(1, { state: 'held' })])
  expect(found.shown).toEqual([1])
  expect([found.moves, found.claims]).toEqual([[], []])
})
