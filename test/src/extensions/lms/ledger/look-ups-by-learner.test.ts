// Tests that statements which look for a learner touch as much in a ledger with many completions as in one with few. The
// planner keeps no statistics of learners, so it takes each of them for hundreds of completions.

import { expect, test } from 'vitest'
import { openDatabase } from '#src/platform/database/database.ts'
import { describeWithDatabase, onServer } from '#test/support/database.ts'
import { aCourse } from '#test/support/domain-objects.ts'
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
import { writeErasure } from '#test/support/write-erasure.ts'

const [few, many] = [500, 20_000]
const perRun = 10
/** People who are forgotten in one transaction. */
const forgotten = 50
const target = 'moodle-profile campus'
const source = { system: 'campus', pipeline: 'spring', renewAfterMs: null }
const aDay = new Date('2026-01-01T06:00:00Z')

/** Adds learners up to `count`, each with a completion whose credential was issued and delivered. */
const completionsSql = (count: number) => `
  SET search_path = credsync; SET session_replication_role = replica;
  CREATE TEMPORARY TABLE person AS SELECT n, gen_random_uuid() AS run, n AS row FROM generate_series((SELECT count(*) FROM completion) + 1, ${count}) n;
  UPDATE person SET run = first.run, row = person.row - first.n + 2 FROM person first WHERE first.n = person.n - (person.n - 1) % ${perRun};
  INSERT INTO run (id, environment, pipeline, course_uuid, source_name, source_path, source_sha256, state, rows, accepted, received_at, published_at, settled_at)
    SELECT run, 'development', 'spring', '${aCourse}', 'campus', 'completions:campus', run, 'published', ${perRun}, ${perRun}, at, at, at
    FROM (SELECT DISTINCT run FROM person) p, LATERAL (SELECT clock_timestamp() AS at) t;
  INSERT INTO issuance (environment, course_uuid, issuance_key, identity_hash, run_id, row_number, pipeline, recipient, state, credential_id)
    SELECT 'development', '${aCourse}', sha256(n::text::bytea), sha256(n::text::bytea), run, row, 'spring',
      jsonb_build_object('Email', 'person.' || n || '@example.org', 'First Name', 'Ada' || n, 'Primary Value', 'Email'), 'issued', 'C-' || n FROM person ORDER BY n;
  INSERT INTO issuance_identity (identity_hash, issuance_id) SELECT identity_hash, id FROM issuance ON CONFLICT DO NOTHING;
  INSERT INTO run_row (run_id, row_number, outcome, cells, issuance_id)
    SELECT run, row, 'accepted', jsonb_build_array('person.' || n || '@example.org', 'Ada' || n), n FROM person ORDER BY n;
  INSERT INTO completion (environment, system, pipeline, learner, course, completed_at, found_by, cells, state, run_id, row_number)
    SELECT 'development', 'campus', 'spring', n, 'FIRE-1', '${aDay.toISOString()}', 'poll', jsonb_build_object('email', 'person.' || n || '@example.org'), 'taken', run, row
    FROM person ORDER BY n;
  INSERT INTO delivery (issuance_id, target, wanted, state, written_at, verified_at, looked_at)
    SELECT n, '${target}', 'issued', 'verified', at, at, CASE WHEN n <= 5 THEN at - interval '1 day' ELSE at END FROM person, LATERAL (SELECT clock_timestamp() AS at) t ORDER BY n;
  INSERT INTO learning_system (environment, system, look_began_at) VALUES ('development', 'campus', clock_timestamp() - interval '1 minute') ON CONFLICT DO NOTHING`

/** What each statement touched at most while a few learners were looked for among so many. */
async function lookForLearners(count: number, statistics: Statistics): Promise<Map<string, Explained>> {
  await using scene = await openTestLedger()
  await keepStatistics(scene)
  await onServer(completionsSql(few), scene.url)
  await scene.database.query('ANALYZE')
  await onServer(completionsSql(count), scene.url)
  await setStatistics(scene, statistics)
  await using database = openDatabase(scene.url)
  const { most, open } = explainedLedger(database)
  const ledger = await open()
  const heard = (learner: string) => ({
    learner,
    course: 'FIRE-1',
    completedAt: aDay,
    cells: { email: 'new@example.org' },
  })
  const yearly = { ...source, renewAfterMs: 86_400_000 }
  await ledger.completions.ingest(source, ['17', '18', 'new'].map(heard), 'poll')
  await ledger.completions.ingest(yearly, [{ ...heard('19'), completedAt: new Date() }], 'poll')
  const shown = { system: 'campus', learner: '17', course: 'FIRE-1', completedAt: aDay }
  expect(await ledger.deliveries.shown('spring', shown)).toMatchObject({ issuanceId: 17 })
  expect(await ledger.drift.due('campus', target, 5)).toHaveLength(5)
  const ids = Array.from({ length: forgotten }, (_, n) => n + 101)
  const id = await writeErasure(scene.ledger, { ids })
  await scene.ledger.erasures.emptyEvents(id, {})
  await setStatistics(scene, statistics)
  expect(await ledger.erasures.emptyNext(id)).toBe(2 * forgotten)
  return most
}

describeWithDatabase('the plans of statements that look for learners', () => {
  test.each(statisticsKinds)(
    'touch as much with many completions as with few, with %s statistics',
    async (statistics) => {
      const inSmall = await lookForLearners(few, statistics)
      const inLarge = await lookForLearners(many, statistics)
      expect(grownBetween(inSmall, inLarge, 60)).toEqual([])
    },
  )
})
