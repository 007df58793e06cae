// Every occasion that can open a notice, when it does, and how it is described; and that no message can name a person.

import { describe, expect, test } from 'vitest'
import { parseFileSettings } from '#config/settings.ts'
import { composeMessage } from '#src/extensions/notices/compose-message.ts'
import { openExpectation } from '#src/extensions/notices/expected-list.ts'
import type { Occasion } from '#src/extensions/notices/facts.ts'
import type { NoticeReadings, Trouble } from '#src/extensions/notices/ledger/notice-readings.ts'
import type { OpenNotice } from '#src/extensions/notices/ledger/notice-store.ts'
import { noticeSteps, recipientsOf } from '#src/extensions/notices/notice-steps.ts'
import { occasionsNow } from '#src/extensions/notices/occasions.ts'
import { noReadings } from '#test/support/no-readings.ts'

const now = new Date('2026-11-24T08:00:00Z')
const ago = (minutes: number) => new Date(now.getTime() - minutes * 60_000)
const course = '11111111-1111-4111-8111-111111111111'

const mornings = openExpectation({ by: '06:00', days: 'mon-fri', timeZone: 'Europe/Berlin', minRows: 1 }, false)
const to = { ops: { email: ['ops@example.org'], on: ['all' as const] } }
const settings = { behind: '1d', remind: '1d', fileNames: true, to }

function occasions(readings: Partial<NoticeReadings>, change: Partial<Parameters<typeof occasionsNow>[0]> = {}) {
  const sources = { open: [], expectations: [], pipelines: ['spring'], settings, summarizes: true, now }
  return occasionsNow({ ...sources, readings: { ...noReadings, ...readings }, ...change })
}

/** What would be done, with these notices open. */
const stepsOf = (open: readonly OpenNotice[], found: readonly Occasion[]) =>
  noticeSteps(open, found, { to, remindMs: 86_400_000, now }).map((step) => `${step.do} ${step.key}`)

const wordsOf = ({ key, kind, pipeline, since, facts }: Occasion) =>
  composeMessage([{ id: 1, key, kind, pipeline, since, facts, change: 'opened', at: now }], {
    ...{ environment: 'production', link: null, now },
  })

const spring = { pipeline: 'spring' }
const obstacle = (subject: string, error: string | null, minutes: number) => ({
  ...{ subject, error, detail: 'It did not work.', since: ago(minutes), seenAt: now, status: 'current' as const },
})
const trouble = (subject: Trouble['subject'], problem: string, since: Date | null = null) => ({
  ...{ subject, ...spring, problem, since, isWatched: true },
})
const system = (awaySince: Date | null, problem: string | null) => ({
  ...{ system: 'campus', awaySince, awayBecause: 'HTTP 503.', problem, isWatched: true },
})
const pause = (minutes: number) => ({
  ...{ courseUuid: course, reason: 'It refused calls.', since: ago(minutes), until: now, afterTrouble: true },
})
const list = {
  ...{
    run: '0b5e7c1a-0000-4000-8000-000000000001',
    ...spring,
    source: 'march.csv',
    rows: 12,
    accepted: 10,
    invalid: 1,
  },
  ...{ skipped: 1, changed: 1, states: { requested: 4, issued: 6 }, publishedAt: ago(60), settledAt: null },
  ...{ resultsPath: null, invalidPath: '/out/march.invalid.csv' },
}

describe('an occasion', () => {
  test.each<[Partial<NoticeReadings>, string, string]>([
    [
      { lists: [list] },
      'summary 0b5e7c1a-0000-4000-8000-000000000001',
      'spring: march.csv is sent: 6 issued, 4 accepted by the service',
    ],
    [
      { held: [{ ...spring, count: 2, since: ago(90) }] },
      'person held spring',
      'spring: 2 rows wait for a decision (for 1h 30m)',
    ],
    [
      { braked: [{ ...spring, count: 1, since: ago(5) }] },
      'person braked spring',
      'spring: 1 list is held by the brake (for 5m)',
    ],
    [
      { changes: [{ ...spring, count: 1, since: ago(5) }] },
      'person changes spring',
      'spring: 1 row differs from an issued credential (for 5m)',
    ],
    [
      { revocations: { count: 2, since: ago(5), pastAt: null } },
      'person revocations',
      '2 revocations need a decision (for 5m)',
    ],
    [
      { stops: [{ since: ago(2), reason: 'calls are missing' }] },
      'person stopped',
      'nothing is sent until a person has checked the ledger (for 2m)',
    ],
    [
      {
        refusals: [
          {
            ...{
              ...spring,
              lists: 1,
              since: ago(3),
              receivedAt: ago(4),
              run: list.run,
              source: 'odd.csv',
              path: '/in/odd.csv',
            },
            sentence: 'It has no header.',
          },
        ],
      },
      'refused list spring',
      'spring: odd.csv was refused (for 3m)',
    ],
    [
      { obstacles: [obstacle('reconcile', 'ServiceUnreachableError (ECONNREFUSED)', 5)] },
      'away service',
      'the credential service does not answer (for 5m)',
    ],
    [
      { obstacles: [obstacle('sweep', 'QueueUnreachableError', 6)] },
      'away queue',
      'the store of the queues does not answer (for 6m)',
    ],
    [{ obstacles: [obstacle('issue', 'KeysRefusedError', 0)] }, 'keys keys', 'the credential service refuses the keys'],
    [{ obstacles: [obstacle('intake', 'TypeError', 30)] }, 'stuck work', 'a worker cannot do its work (for 30m)'],
    [{ obstacles: [obstacle('worker 0b5e7c1a', null, 30)] }, 'stuck worker', 'a worker makes no progress (for 30m)'],
    [{ systems: [system(ago(5), null)] }, 'away system campus', 'the learning system campus does not answer (for 5m)'],
    [
      { open: [{ ...spring, count: 3, since: ago(1_440) }] },
      'behind rows spring',
      'spring: 3 rows are not finished (for 1d)',
    ],
    [
      { report: { overdueS: 3_600, isAwaited: true, readAt: null } },
      'behind report',
      'the credential report has not been read (for 1h)',
    ],
    [
      { stalledWorkers: [{ worker: '0b5e7c1a', host: 'worker-1', since: ago(6) }] },
      'stuck stalled workers',
      '1 worker has not reported for five minutes (for 6m)',
    ],
    [{ pauses: [pause(60)] }, `behind course ${course}`, 'a course is paused (for 1h)'],
    [
      { troubles: [trouble('archive', 'It is not mounted.')] },
      'stuck archive spring',
      'spring: the archive of certificates cannot be used',
    ],
    [{ troubles: [trouble('inbox', 'It is gone.')] }, 'stuck inbox spring', 'spring: the inbox cannot be used'],
    [
      { troubles: [trouble('results', '1 waits', ago(70))] },
      'stuck results spring',
      'spring: results files cannot be written (for 1h 10m)',
    ],
    [{ troubles: [trouble('delivery', '1 waits')] }, 'stuck delivery spring', 'spring: outcomes cannot be delivered'],
    [
      { erasures: [{ id: course, requestedAt: ago(21 * 1_440), waitsFor: 'i7 is held.' }] },
      `erasure ${course}`,
      'an erasure of 2026-11-03 has not been carried out for three weeks (for 21d)',
    ],
    [{ systems: [system(null, 'No token.')] }, 'stuck system campus', 'the learning system campus needs attention'],
  ])('%j opens %s', (readings, key, title) => {
    const found = occasions(readings)
    expect(found.map((each) => each.key)).toEqual([key])
    expect(wordsOf(found[0] as Occasion).subject).toBe(`credsync: ${title}`)
    // What was stored is what is found again in the next round.
    const stored = found.map((each) => ({
      ...each,
      id: 1,
      openedAt: now,
      remindedAt: now,
      readers: ['ops'],
      ...JSON.parse(JSON.stringify({ facts: each.facts })),
    }))
    expect(stepsOf(stored, found)).toEqual([])
  })

  test.each<[string, Partial<NoticeReadings>]>([
    [
      'a service that has not answered for less than five minutes',
      { obstacles: [obstacle('issue', 'ServiceUnreachableError', 4)] },
    ],
    ['a learning system that was away for a moment', { systems: [system(ago(4), null)] }],
    ['rows that are younger than `behind`', { open: [{ ...spring, count: 3, since: ago(1_439) }] }],
    ['a report that is a little late', { report: { overdueS: 3_599, isAwaited: true, readAt: null } }],
    ['a short pause of a course', { pauses: [pause(59)] }],
    [
      'an erasure of the last three weeks',
      { erasures: [{ id: course, requestedAt: ago(21 * 1_440 - 1), waitsFor: null }] },
    ],
  ])('is not %s', (_, readings) => {
    expect(stepsOf([], occasions(readings))).toEqual([])
  })

  test('is a list that is missing, in the time zone of its pipeline', () => {
    const expectations = [{ ...spring, expectation: mornings, completions: false, since: ago(100_000) }]
    const [missing] = occasions({}, { expectations })
    expect(missing).toMatchObject({ key: 'missing list spring', pipeline: 'spring' })
    expect(wordsOf(missing as Occasion).subject).toBe(
      'credsync: spring: the list that was due at 06:00 on Tue 24 Nov (Europe/Berlin) is missing (for 3h)',
    )
    expect(occasions({ arrivals: [{ ...spring, at: ago(200), rows: 5, run: null }] }, { expectations })).toEqual([])
  })

  test('for a failing recipient is reported to the others, even if they did not ask for it', () => {
    const { notify } = parseFileSettings({
      service: { environment: 'development' },
      pipelines: {},
      notify: {
        to: {
          a: { email: ['a@example.org'], on: ['person'] },
          b: { email: ['b@example.org'], on: ['person'] },
          c: { email: ['c@example.org'], on: ['away'] },
        },
      },
    })
    const failing = (recipient: string) => ({
      recipient,
      since: ago(15),
      problem: 'no',
      isPartial: false,
      isGivenUp: false,
      madeAt: ago(15),
      restedAt: null,
    })
    const [ofA] = occasions({ failing: [failing('a')] })
    expect(recipientsOf(notify?.to ?? {}, ofA as Occasion)).toEqual(['c'])
    const [ofC] = occasions({ failing: [failing('c')] })
    expect(recipientsOf(notify?.to ?? {}, ofC as Occasion)).toEqual(['a', 'b'])
  })
})

describe('a message', () => {
  const sentence = 'odd.csv has person.1@example.org, phone +49 151 12345678,\r\nBcc: x'
  const refusals = [
    {
      ...spring,
      lists: 1,
      since: ago(3),
      receivedAt: ago(4),
      run: list.run,
      source: 'odd.csv',
      path: '/in/odd.csv',
      sentence,
    },
  ]

  test('masks what looks like a person, and has no line break in its subject', () => {
    const [refused] = occasions({ refusals: refusals.map((each) => ({ ...each, source: 'a\r\nBcc: b.csv' })) })
    const words = JSON.stringify(wordsOf(refused as Occasion))
    expect(words).not.toMatch(/person\.1@|12345678|\\[rn]/)
    expect(words).toContain('a Bcc: b.csv was refused')
  })

  test('does not quote a refused file, whose first row may name people, but says where the whole reason is', () => {
    const quoting = 'The first row reads “Anna”, “Schmidt”.'
    const [refused] = occasions({ refusals: refusals.map((each) => ({ ...each, sentence: quoting })) })
    expect(JSON.stringify([refused, wordsOf(refused as Occasion)])).not.toMatch(/Anna|Schmidt/)
    expect(wordsOf(refused as Occasion).sections[0]?.lines).toContain(
      '`credsync status --run 0b5e7c1a` shows the whole reason.',
    )
  })

  test.each([0, 1])(
    'is cut between whole characters, as PostgreSQL and mail programs require (%i before)',
    (before) => {
      const long = 'x'.repeat(before) + '😀'.repeat(2_000)
      const [refused] = occasions({ refusals: refusals.map((each) => ({ ...each, sentence: long })) })
      const text = String((refused as Occasion).facts['sentence' as never])
      expect(text.isWellFormed()).toBe(true)
      expect(text.length).toBeLessThanOrEqual(2_000)
    },
  )

  test('does not name files if they may contain names', () => {
    const [refused, sent] = [
      ...occasions({ refusals }, { settings: { ...settings, fileNames: false } }),
      ...occasions({ lists: [list] }, { settings: { ...settings, fileNames: false } }),
    ]
    expect(JSON.stringify([wordsOf(refused as Occasion), refused])).not.toContain('odd.csv')
    expect(JSON.stringify([wordsOf(sent as Occasion), sent])).not.toMatch(/march/)
  })

  test('begins with what keeps most from working, and says how much more there is', () => {
    const found = occasions({
      lists: [list],
      obstacles: [obstacle('issue', 'KeysRefusedError', 0)],
      revocations: { count: 1, since: ago(5), pastAt: null },
    })
    const words = composeMessage(
      found.map((each, id) => ({ ...each, id, change: 'opened' as const, at: now })),
      { environment: 'development', link: 'https://status.example.org', now },
    )
    expect(words.subject).toBe('credsync (development): the credential service refuses the keys, and 2 more')
    expect(words.sections.map(({ kind }) => kind)).toEqual(['keys', 'person', 'summary'])
    const many = Array.from({ length: 100 }, (_, id) => ({
      ...(found[0] as Occasion),
      id,
      change: 'opened' as const,
      at: now,
    }))
    const shown = composeMessage(many, { environment: 'production', link: null, now })
    expect(shown.sections.length + shown.more).toBe(100)
    expect(shown.sections.length).toBeLessThan(100)
  })
})

describe('what changes', () => {
  const held = occasions({ held: [{ ...spring, count: 2, since: ago(90) }] })
  const openSince = (minutes: number) => ({
    ...(held[0] as Occasion),
    ...{
      id: 1,
      facts: { about: 'held', count: 2 },
      openedAt: ago(minutes),
      remindedAt: ago(minutes),
      readers: ['ops'],
    },
  })
  test('is decided by comparing what is open with what is the case', () => {
    expect(stepsOf([], held)).toEqual(['open person held spring'])
    expect(stepsOf([openSince(60)], held)).toEqual([])
    expect(stepsOf([openSince(1_439)], held)).toEqual([])
    expect(stepsOf([openSince(1_440)], held)).toEqual(['remind person held spring'])
    expect(stepsOf([openSince(60)], [])).toEqual(['recover person held spring'])
  })

  test('is what an open notice says, if the facts are others now', () => {
    const more = occasions({ held: [{ ...spring, count: 500, since: ago(90) }] })
    expect(stepsOf([openSince(60)], more)).toEqual(['restate person held spring'])
    expect(stepsOf([openSince(1_440)], more)).toEqual(['remind person held spring'])
    expect(stepsOf([openSince(1_440)], [{ ...(more[0] as Occasion), isUnsure: true }])).toEqual([
      'restate person held spring',
    ])
  })

  test('for a summary is that its list is finished, and nothing is repeated', () => {
    const [open] = occasions({ lists: [list] })
    const [finished] = occasions({ lists: [{ ...list, settledAt: now }] })
    const notice = {
      ...(open as Occasion),
      id: 1,
      facts: { about: 'summary' },
      openedAt: ago(9_000),
      remindedAt: ago(9_000),
      readers: ['ops'],
    }
    expect(stepsOf([notice], [open as Occasion])).toEqual([])
    expect(stepsOf([notice], occasions({}, { open: [notice] }))).toEqual([])
    expect(stepsOf([notice], [finished as Occasion])).toEqual([`recover summary ${list.run}`])
    expect(stepsOf([], [finished as Occasion])).toEqual([`open summary ${list.run}`, `recover summary ${list.run}`])
  })
})
