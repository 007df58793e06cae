// When an open notice is over, when nobody can say so any more, and when it is not known: nobody reads that all is well
// unless it is.

import { expect, test } from 'vitest'
import { composeMessage } from '#src/extensions/notices/compose-message.ts'
import { openExpectation } from '#src/extensions/notices/expected-list.ts'
import { type Facts, factsOf } from '#src/extensions/notices/facts.ts'
import type { NoticeReadings, Reading } from '#src/extensions/notices/ledger/notice-readings.ts'
import type { OpenNotice } from '#src/extensions/notices/ledger/notice-store.ts'
import { noticeSteps } from '#src/extensions/notices/notice-steps.ts'
import { type OccasionSources, occasionsNow } from '#src/extensions/notices/occasions.ts'
import { noReadings } from '#test/support/no-readings.ts'

const now = new Date('2026-11-24T08:00:00Z')
const ago = (minutes: number) => new Date(now.getTime() - minutes * 60_000)
const day = 1_440
const spring = { pipeline: 'spring' }
const to = { ops: { email: ['ops@example.org'], on: ['all' as const] } }

/** Open for two hours, about something that began three hours ago. */
const notice = (key: string, facts: Facts): OpenNotice => ({
  ...{ id: 1, key, kind: key.split(' ')[0] ?? '', pipeline: key.endsWith(' spring') ? 'spring' : null },
  ...{ facts: { ...facts }, since: ago(180), openedAt: ago(120), remindedAt: ago(120), readers: ['ops'] },
})

function sourcesOf(open: OpenNotice[], readings: Partial<NoticeReadings>, sources: Partial<OccasionSources> = {}) {
  const settings = { behind: '1d', remind: '1d', fileNames: true, to }
  const all = { open, expectations: [], pipelines: ['spring'], settings, summarizes: true, now, ...sources }
  return { ...all, readings: { ...noReadings, ...readings } }
}
function stepsOf(open: OpenNotice, readings: Partial<NoticeReadings>, sources: Partial<OccasionSources> = {}) {
  return noticeSteps([open], occasionsNow(sourcesOf([open], readings, sources)), { to, remindMs: day * 60_000, now })
}
/** What recipients read of the notice. */
const doneWith = (...given: Parameters<typeof stepsOf>) =>
  stepsOf(...given)
    .filter((step) => step.key === given[0].key && step.do !== 'restate')
    .map((step) => step.do)

const mornings = openExpectation({ by: '06:00', days: 'mon-sun', timeZone: 'UTC', minRows: 1 }, false)
const expecting = (since: Date) => ({
  expectations: [{ ...spring, expectation: mornings, completions: false, since }],
})
const missing = notice('missing list spring', {
  ...{ about: 'missing', due: '2026-11-24T06:00:00Z', timeZone: 'UTC', minRows: 1 },
})
const came = { ...spring, at: ago(10), rows: 5, run: null }
const obstacle = (subject: string, error: string, status: 'current' | 'done' | 'unseen', seen: number) => ({
  ...{ subject, error, status, detail: 'It did not work.', since: ago(180), seenAt: ago(seen) },
})
const away = notice('away service', { about: 'service', problem: 'It did not work.', met: ['issue', 'reconcile'] })
const keys = notice('keys keys', { about: 'keys', problem: 'It did not work.', met: ['issue'] })
const refused = notice('refused list spring', {
  ...{ about: 'refused', lists: 1, run: '0b5e7c1a', source: 'odd.csv', sentence: 'No.' },
})
const refusal = (days: number) => ({
  ...{
    ...spring,
    lists: 1,
    since: ago(180),
    receivedAt: ago(days * day),
    run: '0b5e7c1a',
    source: 'odd.csv',
    path: '/in/odd.csv',
  },
  sentence: 'No.',
})
const system = (awaySince: Date | null, problem: string | null, isWatched = true) => ({
  systems: [{ system: 'campus', awaySince, awayBecause: 'HTTP 503.', problem, isWatched }],
})
const systemAway = notice('away system campus', { about: 'system', system: 'campus', problem: 'HTTP 503.' })
const systemWrong = notice('stuck system campus', { about: 'settings', subject: 'campus', problem: 'No token.' })
const archive = notice('stuck archive spring', { about: 'archive', subject: 'spring', problem: 'It is full.' })
const inbox = notice('stuck inbox spring', { about: 'inbox', subject: 'spring', problem: 'It is gone.' })
const trouble = (subject: 'archive' | 'inbox', isWatched: boolean) => ({
  troubles: [{ subject, ...spring, problem: 'It is gone.', since: null, isWatched }],
})
const behind = notice('behind rows spring', { about: 'open', count: 1, behind: '1h' })
const report = notice('behind report', { about: 'report' })
const course = '11111111-1111-4111-8111-111111111111'
const paused = notice(`behind course ${course}`, { about: 'paused', reason: 'It refused calls.' })
const pause = (since: Date, until: Date) => ({
  pauses: [{ courseUuid: course, reason: 'Another one.', since, until, afterTrouble: true }],
})
const unreachable = notice('away recipient office', {
  ...{ about: 'recipient', recipient: 'office', problem: 'No.', isPartial: false, isGivenUp: false },
})
/** @param rested minutes since its last message came to rest; null while it waits */
const failing = (minutes: number, rested: number | null) => ({
  failing: [
    {
      ...{ recipient: 'ops', since: ago(minutes), problem: 'No.', isPartial: true, isGivenUp: false },
      ...{ madeAt: ago(rested ?? minutes), restedAt: rested === null ? null : ago(rested) },
    },
  ],
})
const unreachableOps = notice('away recipient ops', {
  ...{ about: 'recipient', recipient: 'ops', problem: 'No.', isPartial: false, isGivenUp: false },
})
const changes = notice('person changes spring', { about: 'changes', count: 1 })
const revocations = notice('person revocations', { about: 'revocations', count: 1 })
const summary = notice('summary 0b5e7c1a', { about: 'summary', run: '0b5e7c1a' } as Facts)

test.each<[string, OpenNotice, Partial<NoticeReadings>, Partial<OccasionSources>?]>([
  ['a list that was missing has come', missing, { arrivals: [came] }, expecting(ago(10_000))],
  ['the service has done work since', away, { obstacles: [obstacle('issue', 'ServiceUnreachableError', 'done', 60)] }],
  [
    'the service answers, although only to refuse the keys',
    away,
    { obstacles: [obstacle('issue', 'KeysRefusedError', 'current', 1)] },
  ],
  ['the keys are accepted', keys, { obstacles: [obstacle('issue', 'KeysRefusedError', 'done', 60)] }],
  [
    'the keys are accepted, since work with another obstacle was done',
    keys,
    { obstacles: [obstacle('issue', 'ServiceUnreachableError', 'done', 60)] },
  ],
  [
    'the keys are accepted, although work that did not meet them meets something else',
    keys,
    { obstacles: [obstacle('issue', 'KeysRefusedError', 'done', 60), obstacle('intake', 'TypeError', 'current', 1)] },
  ],
  ['a list was taken after one that was refused', refused, {}],
  ['a learning system answers', systemAway, {}],
  ['a learning system is in order', systemWrong, {}],
  ['an archive works', archive, {}],
  ['an inbox works', inbox, {}],
  ['old rows are finished', behind, {}, { settings: { behind: '1h', remind: '1d', fileNames: true, to } }],
  ['the report was read', report, { report: { overdueS: 0, isAwaited: true, readAt: ago(1) } }],
  ['a course is not paused', paused, {}],
  ['a recipient accepts messages', unreachableOps, {}],
  ['changes are corrected', changes, {}],
  ['revocations are decided', revocations, {}],
  [
    'revocations are decided, after others were not',
    revocations,
    { revocations: { count: 0, since: null, pastAt: ago(121) } },
  ],
])('is reported: %s', (_, open, readings, sources) => {
  expect(doneWith(open, readings, sources)).toEqual(['recover'])
})

test.each<[string, OpenNotice, Partial<NoticeReadings>, Partial<OccasionSources>?]>([
  ['an expectation that was changed', missing, {}, expecting(ago(60))],
  ['an expectation or a pipeline that was removed', missing, {}],
  ['a refused list of a pipeline that was removed', refused, {}, { pipelines: [] }],
  ['a list that was refused 90 days ago', refused, { refusals: [refusal(91)] }],
  ['a learning system that was removed', systemAway, system(ago(180), null, false)],
  ['the problem of a learning system that was removed', systemWrong, system(null, 'No token.', false)],
  ['an archive that was removed', archive, trouble('archive', false)],
  ['an inbox that was removed', inbox, trouble('inbox', false)],
  ['a changed `behind`', behind, { open: [{ ...spring, count: 1, since: ago(180) }] }],
  ['a report for which no row waits', report, {}],
  ['a recipient that was removed', unreachable, {}],
  ['a recipient to whom nothing was sent for two days', unreachableOps, failing(3 * day, 2 * day)],
  [
    'a revocation that was refused 30 days ago',
    revocations,
    { revocations: { count: 0, since: null, pastAt: ago(60) } },
  ],
  ['summaries that nobody wants', summary, {}, { summarizes: false }],
  [
    'an obstacle of work that does not show its success',
    notice('stuck work', { about: 'work', problem: 'It did not work.', met: ['archive'] }),
    { obstacles: [obstacle('archive', 'TypeError', 'unseen', 11)] },
  ],
  [
    'a service that nobody has tried for a day',
    away,
    // Begun before, and tried last, more than a day ago.
    { obstacles: [{ ...obstacle('issue', 'ServiceUnreachableError', 'unseen', day + 1) }] },
  ],
])('is not reported, and the notice is withdrawn: %s', (_, open, readings, sources) => {
  const began = { ...open, since: ago(3 * day) }
  const [step, ...others] = stepsOf(began, readings, sources)
  expect(others).toEqual([])
  expect(step?.do).toBe('withdraw')
  const { title, over } = { title: titleOf(began, 'withdrawn', step?.facts), over: titleOf(began, 'recovered') }
  expect(title).toMatch(/^No longer watched: /)
  expect(title).not.toBe(over)
})

test.each<[string, OpenNotice, Partial<NoticeReadings>, Partial<OccasionSources>?]>([
  ['while a list is being read', missing, { arrivals: [{ ...came, rows: null }] }, expecting(ago(10_000))],
  ['while nobody has tried', away, { obstacles: [obstacle('reconcile', 'ServiceUnreachableError', 'unseen', 60)] }],
  [
    'when the service is away whose keys were refused',
    keys,
    { obstacles: [obstacle('issue', 'ServiceUnreachableError', 'current', 1)] },
  ],
  [
    'when the service was away for a while whose keys were refused',
    keys,
    { obstacles: [obstacle('issue', 'ServiceUnreachableError', 'unseen', 60)] },
  ],
  [
    'when keys were refused once, and nobody has tried again',
    keys,
    { obstacles: [{ ...obstacle('issue', 'KeysRefusedError', 'unseen', 180) }] },
  ],
  [
    'right after it was met anew',
    away,
    { obstacles: [{ ...obstacle('issue', 'ServiceUnreachableError', 'current', 0), since: ago(1) }] },
  ],
  ['when a learning system has not answered for a moment', systemAway, system(ago(1), null)],
  ['while a learning system does not answer', systemWrong, system(ago(1), 'HTTP 503.')],
  ['when the report could not be read again', report, { report: { overdueS: 0, isAwaited: true, readAt: ago(500) } }],
  ['when a course is paused for another reason', paused, pause(ago(1), new Date(now.getTime() + 60_000))],
  ['right after a pause', paused, pause(ago(500), ago(1))],
  ['when a message reached some addresses only', unreachableOps, failing(1, 1)],
  ['when changed rows were not counted', changes, { unread: [{ reading: 'changes', error: null }] }],
  ['while a list has open rows', summary, {}],
])('is not decided, and nothing is reported, %s', (_, open, readings, sources) => {
  expect(doneWith(open, readings, sources)).toEqual([])
})

test.each<[string, number | null, string[]]>([
  ['while a message waits', null, ['remind']],
  ['if another message failed since', 60, ['remind']],
  ['if nothing was sent since', day + 60, []],
])('others are reminded of a recipient to whom messages fail %s: %s', (_, rested, expected) => {
  const open = { ...unreachableOps, remindedAt: ago(day + 10) }
  expect(doneWith(open, failing(2 * day, rested))).toEqual(expected)
})

test('a reading that failed neither ends nor opens a notice', () => {
  const error = new Error('canceling statement due to statement timeout')
  const readings = Object.keys(noReadings).filter((reading) => reading !== 'unread') as Reading[]
  const unread = readings.map((reading) => ({ reading, error }))
  const notices = [missing, away, refused, systemAway, systemWrong, archive, inbox, behind, report, paused, changes]
  for (const open of [...notices, unreachableOps, revocations, summary])
    expect(doneWith(open, { unread }, expecting(ago(10_000)))).toEqual([])
  expect(occasionsNow(sourcesOf([], { unread }, expecting(ago(10_000))))).toEqual([])
  // The others are decided as usual.
  const ofSystems = unread.filter(({ reading }) => reading === 'systems')
  expect(doneWith(systemAway, { unread: ofSystems })).toEqual([])
  expect(doneWith(archive, { unread: ofSystems })).toEqual(['recover'])
})

test('an obstacle from before the notice says nothing about its end', () => {
  const done = obstacle('issue', 'ServiceUnreachableError', 'done', 60)
  const old = { ...obstacle('archive', 'ServiceUnreachableError', 'unseen', 5 * day), since: ago(5 * day) }
  expect(doneWith(away, { obstacles: [old, done] })).toEqual(['recover'])
})

test('a message about a notice that was withdrawn names the reason, and no remedy', () => {
  const [step] = stepsOf(missing, {}, expecting(ago(60)))
  const words = composeMessage([{ ...missing, change: 'withdrawn', facts: step?.facts ?? {}, at: now }], {
    environment: 'production',
    link: null,
    now,
  })
  expect(words.subject).toBe(
    'credsync: No longer watched: spring: the list that was due at 06:00 on Tue 24 Nov (UTC) is missing (after 2h)',
  )
  expect(words.sections[0]?.lines).toEqual(['Its setting has changed.'])
})

function titleOf(open: OpenNotice, change: 'recovered' | 'withdrawn', facts: Record<string, unknown> = open.facts) {
  // The summary of nothing has no words.
  if (factsOf(open).about === 'summary') return change === 'withdrawn' ? 'No longer watched: ' : ''
  const words = composeMessage([{ ...open, change, facts, at: now }], { environment: 'production', link: null, now })
  return words.sections[0]?.title
}
