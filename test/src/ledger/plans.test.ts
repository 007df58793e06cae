// Tests that the statements of sending and of reading the report touch as much in a long list as in a short one, with
// statistics that are missing, old or fresh: no plan may depend on what the planner happens to know.

import { expect, test } from 'vitest'
import { applyPage } from '#src/issuing/reconcile/scan-report.ts'
import { openLedger } from '#src/ledger/ledger.ts'
import { openDatabase } from '#src/platform/database/database.ts'
import { silentLog } from '#src/platform/log/log.ts'
import { steppedClock } from '#test/support/clock.ts'
import { describeWithDatabase, onServer } from '#test/support/database.ts'
import { aPolicy, aReportItem, recipients } from '#test/support/domain-objects.ts'
import { type Explained, explainedDatabase } from '#test/support/explained-database.ts'
import { openTestLedger, type TestLedger } from '#test/support/test-ledger.ts'

const statisticsKinds = ['missing', 'old', 'fresh'] as const
type Statistics = (typeof statisticsKinds)[number]
const batch = 20
const batches = 3
const [few, many] = [200, 3_000]
/**
 * Rows are read more than once where earlier versions of them cannot be removed yet, which depends on what else runs on
 * the server. A plan that reads the whole list reads fifteen times as many.
 */
const maxGrowth = 3
/** In a short list pages are so few that reading them all is cheaper than look-ups. */
const maxPages = 16 * batch * batches

const ourTables = `SELECT oid FROM pg_class WHERE relnamespace = 'credsync'::regnamespace AND relkind = 'r'`

async function setStatistics({ database, url }: TestLedger, statistics: Statistics): Promise<void> {
  if (statistics === 'fresh') await database.query('ANALYZE')
  if (statistics !== 'missing') return
  await onServer(`DELETE FROM pg_statistic WHERE starelid IN (${ourTables})`, url)
  await onServer(`UPDATE pg_class SET relpages = 0, reltuples = -1 WHERE oid IN (${ourTables})`, url)
}

/** What each statement touched at most, while a few batches of a list were sent and the report was read. */
async function sendFromList(rows: number, statistics: Statistics): Promise<Map<string, Explained>> {
  await using scene = await openTestLedger()
  // Statistics change only when the test says so.
  await onServer(
    `DO $$ DECLARE t regclass; BEGIN FOR t IN ${ourTables} LOOP EXECUTE format('ALTER TABLE %s SET (autovacuum_enabled = false)', t); END LOOP; END $$`,
    scene.url,
  )
  await scene.publish(recipients(1, 10_000))
  await scene.answer(await scene.send(), { class: 'accepted' })
  await scene.database.query('ANALYZE')
  const run = await scene.publish(recipients(rows))
  const most = new Map<string, Explained>()
  await using database = openDatabase(scene.url)
  const explained = explainedDatabase(database, (found) => {
    const known = most.get(found.statement)
    if (!known || found.read > known.read) most.set(found.statement, found)
  })
  const ledger = await openLedger(explained, 'development')
  const people = recipients(batch * batches)
  for (let sent = 0; sent < batches; sent++) {
    await setStatistics(scene, statistics)
    await ledger.work.pipelinesWithDueRows()
    await ledger.courses.learnedBatchLimit('spring')
    const attemptId = (await ledger.attempts.prepare('spring', batch, { canary: true })) as number
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
  await ledger.runs.withStates(run)
  return most
}

describeWithDatabase('the plans of statements that run for each batch and each page', () => {
  test.each(statisticsKinds)(
    'touch no more in a long list than in a short one, with %s statistics',
    async (statistics) => {
      const inShort = await sendFromList(few, statistics)
      const inLong = await sendFromList(many, statistics)
      const grown = [...inLong.values()].flatMap((long) => {
        const short = inShort.get(long.statement)
        if (!short) return [`${long.statement}: only in the long list`]
        return long.read > short.read * maxGrowth + 10 || long.buffers > Math.max(short.buffers * 2 + 30, maxPages)
          ? [
              `${long.statement}: ${short.read} → ${long.read} rows, ${short.buffers} → ${long.buffers} pages; ${long.plan}`,
            ]
          : []
      })
      expect(grown).toEqual([])
    },
  )
})
