// Tests that the statements of sending and of reading the report touch as much in a long list as in a short one, and
// those from which notices are decided as much in an old ledger as in a new one, with statistics that are missing,
// old, fresh or empty: no plan may depend on what the planner happens to know. The pages of the console need fresh
// ones.

import { expect, test } from 'vitest'
import { applyPage } from '#src/issuing/reconcile/scan-report.ts'
import { openDatabase, type Sql } from '#src/platform/database/database.ts'
import { silentLog } from '#src/platform/log/log.ts'
import { steppedClock } from '#test/support/clock.ts'
import { describeWithDatabase, onServer } from '#test/support/database.ts'
import { aPolicy, aReportItem, recipients } from '#test/support/domain-objects.ts'
import type { Explained } from '#test/support/explained-database.ts'
import {
  explainedLedger,
  grownBetween,
  keepStatistics,
  type Statistics,
  setStatistics,
  statisticsKinds,
} from '#test/support/plans.ts'
import { openTestLedger } from '#test/support/test-ledger.ts'

const withEmpty = [...statisticsKinds, 'empty'] as const
const batch = 20
const batches = 3
const [few, many] = [200, 3_000]
/** In a short list pages are so few that reading them all is cheaper than look-ups. */
const maxPages = 16 * batch * batches

/** What each statement touched at most, while a few batches of a list were sent and the report was read. */
async function sendFromList(rows: number, statistics: Statistics): Promise<Map<string, Explained>> {
  await using scene = await openTestLedger()
  await keepStatistics(scene)
  await scene.publish(recipients(1, 10_000))
  await scene.answer(await scene.send(), { class: 'accepted' })
  await scene.database.query('ANALYZE')
  const run = await scene.publish(recipients(rows))
  await using database = openDatabase(scene.url)
  const { most, open } = explainedLedger(database)
  const ledger = await open()
  const people = recipients(batch * batches)
  for (let sent = 0; sent < batches; sent++) {
    await setStatistics(scene, statistics)
    await ledger.work.pipelinesWithDueRows()
    await ledger.courses.learnedBatchLimit('spring')
    const [attemptId = 0] = await ledger.attempts.prepare('spring', batch, { canary: true })
    await ledger.work.takeAttemptsToSend()
    await ledger.attempts.load(attemptId)
    const claim = await ledger.attempts.claim({
      attemptId,
      instance: crypto.randomUUID(),
      requestSha256: '',
      deadlineMs: 1_000,
    })
    if (!claim) throw new Error('The batch was not claimed.')
    const outcome = { class: 'accepted' as const, status: 200, code: null, words: '' }
    const steps = [{ to: 'requested' as const, event: 'accepted', reason: null }]
    await ledger.attempts.end({ attemptId, claim }, outcome, { steps, waitMs: 0, batchLimit: null })
    await ledger.work.takePoll()
    await ledger.attempts.markLost(null)
    await ledger.runs.settle()
  }
  const reading = { ledger, log: silentLog, clock: steppedClock(), policy: aPolicy() }
  for (const shown of [{ issued_status: 'Request inqueue' }, {}, {}]) {
    await setStatistics(scene, statistics)
    await applyPage(
      reading,
      people.map((person) => aReportItem(person, shown)),
    )
  }
  const [lost = 0] = await ledger.attempts.prepare('spring', batch, { canary: true })
  await ledger.attempts.claim({ attemptId: lost, instance: crypto.randomUUID(), requestSha256: '', deadlineMs: 1_000 })
  await setStatistics(scene, statistics)
  expect(await ledger.attempts.markLost(crypto.randomUUID())).toEqual([lost])
  await ledger.runs.withStates(run)
  return most
}

describeWithDatabase('the plans of statements that run for each batch and each page', () => {
  test.each(withEmpty)('touch no more in a long list than in a short one, with %s statistics', async (statistics) => {
    const inShort = await sendFromList(few, statistics)
    const inLong = await sendFromList(many, statistics)
    expect(grownBetween(inShort, inLong, maxPages)).toEqual([])
  })
})

/** Adds lists of the last weeks with all that belongs to them, finished, and the notices and messages about them. */
const historySql = (lists: number) => `
  SET search_path = credsync; SET session_replication_role = replica;
  INSERT INTO run (environment, pipeline, source_name, source_path, source_sha256, state, rows, accepted, received_at, published_at, settled_at, summarized_at, changes_compared)
    SELECT 'development', 'spring', 'old.csv', '/in/' || n, n, 'published', 1, 1, at, at, at, at, true
    FROM generate_series(1, ${lists}) n, LATERAL (SELECT clock_timestamp() - n * interval '5 minutes' AS at) t;
  INSERT INTO run_count SELECT id, 'issued', 1, 0 FROM run WHERE source_name = 'old.csv';
  INSERT INTO write_back (run_id, target, wanted, written, written_at) SELECT id, 'results-file', 1, 1, received_at FROM run WHERE source_name = 'old.csv';
  INSERT INTO issuance (environment, course_uuid, issuance_key, identity_hash, run_id, row_number, pipeline, state, credential_id)
    SELECT 'development', gen_random_uuid(), decode(md5(id::text), 'hex'), decode(md5(id::text), 'hex'), id, 2, 'spring', 'issued', id FROM run WHERE source_name = 'old.csv';
  -- One person who differs in each list, and waits for a decision because of the last one.
  INSERT INTO run_row (run_id, row_number, outcome, cells, issuance_id, changed_fields, change_over)
    SELECT id, 3, 'skipped', '[]', (SELECT i.id FROM issuance i JOIN run o ON o.id = i.run_id WHERE i.state = 'issued' ORDER BY o.received_at LIMIT 1),
      '["Last Name"]', received_at < (SELECT max(received_at) FROM run WHERE source_name = 'old.csv') FROM run WHERE source_name = 'old.csv';
  INSERT INTO delivery (issuance_id, target, wanted, state) SELECT id, 'campus', 'issued', 'verified' FROM issuance WHERE state = 'issued';
  INSERT INTO revocation (environment, credential_id, issuance_id, by, state) SELECT 'development', credential_id, id, 'me', 'seen' FROM issuance WHERE state = 'issued';
  INSERT INTO completion (environment, system, pipeline, learner, course, completed_at, found_by, cells, state, found_at)
    SELECT 'development', 'campus', 'autumn', id, 'FIRE-1', received_at, 'poll', '{}', 'same', received_at FROM run WHERE source_name = 'old.csv';
  INSERT INTO scan (environment, since, started_at, ended_at, complete) SELECT 'development', received_at, received_at, received_at, true FROM run WHERE source_name = 'old.csv';
  INSERT INTO attempt (environment, course_uuid, pipeline, phase, size, sending_at, outcome)
    SELECT 'development', gen_random_uuid(), 'spring', 'ended', 1, received_at, 'accepted' FROM run WHERE source_name = 'old.csv';
  INSERT INTO notice (environment, key, kind, pipeline, facts, since, opened_at, reminded_at, recovered_at)
    SELECT 'development', 'summary ' || id, 'summary', 'spring', jsonb_build_object('run', id), received_at, received_at, received_at, received_at FROM run WHERE source_name = 'old.csv';
  INSERT INTO notice_message (environment, recipient, words, created_at, due_at, delivered_at)
    SELECT 'development', 'ops', '{}', opened_at, opened_at, opened_at FROM notice;
  INSERT INTO notice_change (notice_id, recipient, change, facts, at, message_id)
    SELECT n.id, 'ops', 'recovered', '{}', n.opened_at, m.id FROM notice n JOIN notice_message m ON m.created_at = n.opened_at`

const someTimeAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000)

/** What each statement touched while notices were decided from a ledger with so many finished lists. */
async function decideNotices(lists: number, statistics: Statistics): Promise<Map<string, Explained>> {
  await using scene = await openTestLedger()
  await keepStatistics(scene)
  await scene.publish(recipients(1))
  await scene.database.query('ANALYZE')
  await onServer(historySql(lists), scene.url)
  const run = await scene.publish(recipients(3, 10))
  await scene.answer(await scene.send(), { class: 'accepted' })
  await setStatistics(scene, statistics)
  await using database = openDatabase(scene.url)
  const { most, open } = explainedLedger(database)
  const { notices } = await open()
  for (let round = 0; round < 2; round++) {
    const now = new Date()
    await notices.markPastChanges()
    const readings = await notices.readings({
      ...{ summarizeFrom: someTimeAgo(10_000), refusedFrom: someTimeAgo(10_000), countsChanges: true, now },
      ...{ pipelines: ['spring', 'autumn'], inboxes: ['spring'], recipients: ['ops', 'office'] },
      targets: [{ pipeline: 'spring', name: 'hooks' }],
      expecting: [
        { pipeline: 'spring', from: someTimeAgo(1), completions: false },
        { pipeline: 'autumn', from: someTimeAgo(10_000), completions: true },
      ],
    })
    expect(readings.changes).toMatchObject([{ pipeline: 'spring', count: 1 }])
    const facts = { about: 'summary', run }
    if (round === 0) {
      expect(readings.lists).toMatchObject([{ source: 'people.csv' }, { run }])
      expect(readings.open).toMatchObject([{ pipeline: 'spring', count: 4 }])
      await notices.apply(
        [
          {
            do: 'open',
            key: `summary ${run}`,
            kind: 'summary',
            pipeline: 'spring',
            since: now,
            facts,
            recipients: ['ops'],
          },
          {
            do: 'open',
            key: 'person held spring',
            kind: 'person',
            pipeline: 'spring',
            since: now,
            facts: {},
            recipients: ['ops'],
          },
        ],
        now,
      )
    }
    await notices.open()
    await notices.toCompose(['ops', 'office'], { since: now, lastBefore: now, latest: now })
    await notices.withDueMessages(['ops', 'office'], { now, latest: now })
  }
  return most
}

describeWithDatabase('the plans of statements from which notices are decided every few seconds', () => {
  test.each(statisticsKinds)(
    'touch no more in an old ledger than in a new one, with %s statistics',
    async (statistics) => {
      const inNew = await decideNotices(few, statistics)
      const inOld = await decideNotices(many, statistics)
      expect(inOld.size).toBeGreaterThan(20)
      expect(grownBetween(inNew, inOld, 60)).toEqual([])
    },
  )
})

/** What each statement of the console's pages touched in a ledger with so many finished lists. */
async function openPages(lists: number, statistics: Statistics): Promise<Map<string, Explained>> {
  await using scene = await openTestLedger()
  await keepStatistics(scene)
  await scene.publish(recipients(1))
  await scene.database.query('ANALYZE')
  await onServer(historySql(lists), scene.url)
  await scene.publish(recipients(3, 10))
  await setStatistics(scene, statistics)
  await using database = openDatabase(scene.url)
  const { most, open } = explainedLedger(database)
  const { runPages, consoleReadings, consoleActs, revocations, decisions, sendingStops, notices } = await open()
  // As a worker does before anybody asks.
  await notices.markPastChanges()
  const [scope, limit] = [['spring', 'autumn'], 20]
  for (const seen of [scope, null]) {
    await consoleReadings.needed(seen)
    await runPages.unsettled(seen, limit)
    await decisions.heldRows({ scope: seen, limit })
    await revocations.waitingChanges({ scope: seen, limit })
    const first = await runPages.page({ scope: seen }, { before: null, limit })
    await runPages.page({ scope: seen }, { before: first.at(-1)?.cursor ?? null, limit })
    for (const phase of ['open', 'braked', 'refused'] as const)
      await runPages.page({ scope: seen, phase }, { before: null, limit })
  }
  await runPages.lastLists(scope)
  await revocations.toDecide()
  await sendingStops.stops()
  await notices.shown()
  await consoleActs.page({ before: null, limit })
  return most
}

describeWithDatabase('the plans of statements from which pages of the console are made', () => {
  // Nobody's credential depends on them, so that statistics of yesterday may cost some milliseconds.
  test('touch no more in an old ledger than in a new one, with fresh statistics', async () => {
    const inNew = await openPages(few, 'fresh')
    const inOld = await openPages(many, 'fresh')
    expect(inOld.size).toBeGreaterThan(10)
    expect(grownBetween(inNew, inOld, 60)).toEqual([])
  })
})

describeWithDatabase('the rule that rows name issuances that are there', () => {
  test.each(withEmpty)('looks up no more than these, with %s statistics', async (statistics) => {
    await using scene = await openTestLedger()
    await keepStatistics(scene)
    await scene.publish(recipients(many))
    await setStatistics(scene, statistics)
    const { rows: named } = await scene.database.query<{ id: number }>(
      `SELECT id FROM issuance ORDER BY id DESC LIMIT ${batch}`,
    )
    const read = await scene.database.transaction(async (sql) => {
      const before = await readOfIssuances(sql)
      await sql.query(
        'INSERT INTO issuance_match (hash, issuance_id) SELECT sha256(id::text::bytea), id FROM unnest($1::bigint[]) id',
        [named.map(({ id }) => id)],
      )
      return (await readOfIssuances(sql)) - before
    })
    expect(read).toBe(batch)
  })

  /** The entries of the table and of its key that this session has read. */
  async function readOfIssuances(sql: Sql): Promise<number> {
    const { rows } = await sql.query<{ read: number }>(
      `SELECT sum(pg_stat_get_xact_tuples_returned(t))::int AS read FROM unnest('{issuance, issuance_pkey}'::regclass[]) t`,
    )
    return rows[0]?.read ?? 0
  }
})
