// What the ledger shows for notices: since when rows are open, which lists are to be summarized, whose refusals last, and
// what is not in the configuration any more.

import { describe, expect, test } from 'vitest'
import type { ReadingScope } from '#src/extensions/notices/ledger/notice-readings.ts'
import type { NoticeStep } from '#src/extensions/notices/ledger/notice-store.ts'
import { onServer } from '#test/support/database.ts'
import { aRecipient, recipients } from '#test/support/domain-objects.ts'
import { openTestLedger, type TestLedger } from '#test/support/test-ledger.ts'
import { writeErasure } from '#test/support/write-erasure.ts'

const longAgo = new Date(0)

const read = ({ ledger }: TestLedger, scope: Partial<ReadingScope> = {}) =>
  ledger.notices.readings({
    ...{ summarizeFrom: longAgo, refusedFrom: longAgo, countsChanges: true, now: new Date() },
    ...{ pipelines: ['spring'], inboxes: ['spring'], targets: [], recipients: ['ops'], expecting: [], ...scope },
  })

/** Seconds since a time, according to the database. */
const agoS = async ({ queryOne }: TestLedger, at: Date | undefined) =>
  (
    await queryOne<{ ago: number }>('SELECT extract(epoch FROM clock_timestamp() - $1::timestamptz)::float AS ago', [
      at,
    ])
  ).ago

/** Moves every time of the runs back. */
const age = ({ database }: TestLedger, days: number) =>
  database.query(
    `UPDATE run SET received_at = received_at - make_interval(days => $1), published_at = published_at - make_interval(days => $1),
       settled_at = settled_at - make_interval(days => $1)`,
    [days],
  )

describe('open rows', () => {
  test('that were released long after they were accepted are open since then', async () => {
    await using ledger = await openTestLedger()
    await ledger.publish(recipients(1))
    await ledger.answer(await ledger.send(), { class: 'refused', words: 'No.' })
    expect(await ledger.states()).toEqual(['failed'])
    await ledger.ledger.runs.settle()
    await age(ledger, 400)
    expect((await read(ledger)).open).toEqual([])
    await ledger.ledger.decisions.retry({ ids: [1] }, { by: 'me', why: 'It is right now.' })
    const { open } = await read(ledger)
    expect(open).toMatchObject([{ pipeline: 'spring', count: 1 }])
    expect(await agoS(ledger, open[0]?.since)).toBeLessThan(86_400)
  })
})

describe('lists to be summarized', () => {
  const summaryOf = (run: string, step: 'open' | 'recover'): NoticeStep => ({
    ...{ key: `summary ${run}`, facts: { about: 'summary', run }, recipients: ['ops'] },
    ...(step === 'open'
      ? { do: 'open', kind: 'summary', pipeline: 'spring', since: longAgo }
      : { do: 'recover', always: true }),
  })
  const addLists = ({ url }: TestLedger, lists: number, state: string, settled: string) =>
    onServer(
      `SET search_path = credsync; SET session_replication_role = replica;
       INSERT INTO run (environment, pipeline, source_name, source_path, source_sha256, state, rows, accepted, received_at, published_at, settled_at)
         SELECT 'development', 'spring', 'list.csv', '', n, 'published', 1, 1, at, at, ${settled} FROM generate_series(1, ${lists}) n,
           LATERAL (SELECT clock_timestamp() - (${lists} - n + 1) * interval '1 minute' AS at) t;
       INSERT INTO run_count SELECT id, '${state}', 1, 0 FROM run r WHERE NOT EXISTS (SELECT FROM run_count WHERE run_id = r.id)`,
      url,
    )
  const summarized = async (ledger: TestLedger, step: 'open' | 'recover') => {
    const { lists } = await read(ledger)
    await ledger.ledger.notices.apply(
      lists.flatMap(({ run }) => [summaryOf(run, 'open'), ...(step === 'recover' ? [summaryOf(run, step)] : [])]),
      new Date(),
    )
    return lists.length
  }

  test('are all returned in the end, however many there are', async () => {
    await using ledger = await openTestLedger()
    await addLists(ledger, 450, 'issued', 'at')
    const rounds = [
      await summarized(ledger, 'recover'),
      await summarized(ledger, 'recover'),
      await summarized(ledger, 'recover'),
    ]
    expect(rounds).toEqual([200, 200, 50])
    expect(await summarized(ledger, 'recover')).toBe(0)
  })

  test('are not hidden by older ones that wait for the service, and end when they are settled, however late', async () => {
    await using ledger = await openTestLedger()
    await addLists(ledger, 250, 'requested', 'NULL')
    expect([
      await summarized(ledger, 'open'),
      await summarized(ledger, 'open'),
      await summarized(ledger, 'open'),
    ]).toEqual([200, 50, 0])
    await addLists(ledger, 1, 'issued', 'at')
    expect((await read(ledger)).lists).toMatchObject([{ states: { issued: 1 } }])
    await summarized(ledger, 'recover')
    await age(ledger, 60)
    const late = await ledger.queryOne<{ id: string }>('SELECT id FROM run WHERE settled_at IS NULL LIMIT 1')
    await onServer(
      `SET search_path = credsync; SET session_replication_role = replica; UPDATE run SET settled_at = clock_timestamp() WHERE id = '${late.id}'`,
      ledger.url,
    )
    expect((await read(ledger)).lists).toMatchObject([{ run: late.id, settledAt: expect.any(Date) }])
  })
})

test('the problem of an inbox that is not in the configuration any more is known as such', async () => {
  await using ledger = await openTestLedger()
  for (const pipeline of ['spring', 'autumn']) {
    await ledger.ledger.inboxes.status(pipeline, longAgo)
    await ledger.ledger.inboxes.noteProblem(pipeline, 'It is gone.')
  }
  const { troubles } = await read(ledger)
  expect(troubles.map(({ pipeline, isWatched }) => `${pipeline} ${isWatched}`).toSorted()).toEqual([
    'autumn false',
    'spring true',
  ])
})

test('deliveries to a target that is not in the configuration any more are known as such', async () => {
  await using ledger = await openTestLedger()
  await ledger.publish(recipients(2))
  await ledger.database.query(
    `INSERT INTO delivery (issuance_id, target, wanted, state, refused)
     SELECT id, target, 'held', 'pending', true FROM issuance, unnest('{hooks,campus}'::text[]) target`,
  )
  const target = (name: string, pipeline = 'spring') => ({ pipeline, name })
  const deliveries = async (...targets: { pipeline: string; name: string }[]) =>
    (await read(ledger, { targets })).troubles.map(({ problem, isWatched }) => `${problem.split(' ')[0]} ${isWatched}`)
  expect(await deliveries(target('hooks'), target('campus'))).toEqual(['4 true'])
  expect(await deliveries(target('hooks'), target('campus', 'autumn'))).toEqual(['2 true'])
  expect(await deliveries()).toEqual(['4 false'])
})

test('an obstacle is current, unseen for a while, or done', async () => {
  await using ledger = await openTestLedger()
  const { obstacles } = ledger.ledger
  const note = (subject: string) =>
    obstacles.note({ subject, detail: 'No.', endsInMs: null, error: 'ServiceUnreachableError' })
  for (const subject of ['issue', 'reconcile', 'archive', 'gate invite']) await note(subject)
  await ledger.publish(recipients(1))
  await ledger.database.query(
    `UPDATE obstacle SET seen_at = clock_timestamp() - interval '11 minutes' WHERE subject <> 'archive'`,
  )
  await ledger.answer(await ledger.send(), { class: 'accepted' })
  const found = (await read(ledger)).obstacles
  expect(found.map(({ subject, status }) => `${subject} ${status}`).toSorted()).toEqual([
    'archive current',
    'issue done',
    'reconcile unseen',
  ])
})

test('an obstacle of another class has not lasted for as long', async () => {
  await using ledger = await openTestLedger()
  const sinceOf = async (error: string) => {
    await ledger.ledger.obstacles.note({ subject: 'issue', detail: 'No.', endsInMs: null, error })
    await ledger.database.query(`UPDATE obstacle SET since = least(since, clock_timestamp() - interval '9 minutes')`)
    return (await read(ledger)).obstacles[0]?.since.getTime() ?? 0
  }
  const noteAgain = async (error: string) => {
    await ledger.ledger.obstacles.note({ subject: 'issue', detail: 'No.', endsInMs: null, error })
    return (await read(ledger)).obstacles[0]?.since.getTime() ?? 0
  }
  const first = await sinceOf('ServiceUnreachableError (ETIMEDOUT)')
  expect(await noteAgain('ServiceUnreachableError (ECONNREFUSED)')).toBe(first)
  expect(await noteAgain('KeysRefusedError')).toBeGreaterThan(first)
})

test('a worker that is registered and does not report is reported by the others', async () => {
  await using ledger = await openTestLedger()
  const { workers } = ledger.ledger
  for (const [instance, host] of [
    ['0b5e7c1a-0000', 'one'],
    ['1c6f8d2b-0000', 'two'],
  ] as const) {
    const session = await workers.join(instance)
    if (!session || session === 'alone') throw new Error('The worker could not join.')
    await workers.record({ host, pid: 1, configuration: 'x', store: null, work: null }, session, `worker:${instance}`)
    await session.release()
  }
  expect((await read(ledger)).stalledWorkers).toEqual([])
  await ledger.database.query(`UPDATE worker SET seen_at = clock_timestamp() - interval '6 minutes' WHERE host = 'one'`)
  expect((await read(ledger)).stalledWorkers).toMatchObject([{ worker: '0b5e7c1a', host: 'one' }])
})

test('a requested erasure is reported until it has ended, and no retention', async () => {
  await using ledger = await openTestLedger()
  await ledger.publish([aRecipient(1)])
  const id = await writeErasure(ledger.ledger, { ids: [1] })
  await ledger.ledger.erasures.noteWaiting(id, 'i1 is held.')
  await ledger.database.query(
    `INSERT INTO erasure (environment, kind, pipeline, requested_by, reason) VALUES ('development', 'retention', 'spring', 'retentionDays', 'old')`,
  )
  expect((await read(ledger)).erasures).toEqual([{ id, requestedAt: expect.any(Date), waitsFor: 'i1 is held.' }])
  await ledger.ledger.erasures.emptyNext(id)
  expect(await ledger.ledger.erasures.end(id)).toBe(true)
  expect((await read(ledger)).erasures).toEqual([])
})
