// Answers what the ledger asks about completions, above all while it publishes a run of them. Writes to the database
// within the caller's transaction.

import { emptiedRow, erasureDay } from '#src/ledger/runs/emptied-row.ts'
import type { HeldPerson, RowsFromElsewhere } from '#src/ledger/runs/rows-from-elsewhere.ts'
import { emptyCompletions } from './empty-learning.ts'
import { refuseOtherLearner } from './refuse-other-learner.ts'
import { refuseOtherName } from './refuse-other-name.ts'
import { noteRulesHash } from './refused-completions.ts'
import { issuancesOfLearner, waitingCompletions } from './waiting-completions.ts'

export const rowsOfCompletions: RowsFromElsewhere = {
  async setAsideForgotten(sql, runId) {
    const sentence = `'The learner was forgotten on ' || ${erasureDay('erasure')} || '. No credential was issued.'`
    await sql.query(
      `UPDATE staged_row s SET ${emptiedRow}, violations = jsonb_build_array(
         jsonb_build_object('row', s.row_number, 'column', '', 'field', '', 'rule', 'forgotten', 'value', '', 'sentence', ${sentence}))
       FROM completion c JOIN erased_completion e ON e.completion_id = c.id JOIN erasure ON erasure.id = e.erasure_id
       WHERE c.run_id = $1 AND s.run_id = $1 AND s.row_number = c.row_number`,
      [runId],
    )
  },

  async refuse(sql, runId, scope) {
    await refuseOtherLearner(sql, runId, scope)
    await refuseOtherName(sql, runId, scope)
  },

  // An operator has no file in which to look at the rows.
  async noteHeld(sql, runId, course) {
    await sql.query(
      `UPDATE completion c SET held_as = CASE WHEN s.violations IS NOT NULL THEN 'invalid' WHEN s.forgotten_person IS NOT NULL OR EXISTS (
           SELECT FROM issuance i WHERE i.environment = c.environment AND i.course_uuid = $2 AND i.issuance_key = s.issuance_key)
         OR EXISTS (SELECT FROM staged_row o WHERE o.run_id = $1 AND o.issuance_key = s.issuance_key AND o.violations IS NULL AND o.row_number < s.row_number)
         THEN 'known' ELSE 'issue' END
       FROM staged_row s WHERE s.run_id = $1 AND c.run_id = $1 AND c.row_number = s.row_number`,
      [runId, course],
    )
  },

  async forget(sql, runId, forgotten, hasher) {
    const { rows: completions } = await sql.query<{ id: number; row: number }>(
      'SELECT id, row_number AS row FROM completion WHERE run_id = $1 AND row_number = ANY($2)',
      [runId, forgotten.map(({ row }) => row)],
    )
    const ids = completions.map(({ id }) => id)
    const emptied = new Set(await emptyCompletions(sql, ids, { hasher, publishedNow: runId }))
    const ofRow = new Map(forgotten.map(({ row, of }) => [row, of]))
    // They belong to the erasure of their person, so that they are released with it.
    const own = completions.flatMap(({ id, row }) => {
      const of = ofRow.get(row)
      return of && emptied.has(id) ? [{ ...of, id }] : []
    })
    await sql.query(
      `INSERT INTO erased_completion (completion_id, erasure_id, person_id, emptied_at)
       SELECT id, erasure, person, clock_timestamp() FROM unnest($1::bigint[], $2::uuid[], $3::bigint[]) n(id, erasure, person) ON CONFLICT DO NOTHING`,
      [own.map(({ id }) => id), own.map(({ erasure }) => erasure), own.map(({ person }) => person)],
    )
  },

  noteRulesHash,

  async held(sql, runId) {
    const { rows } = await sql.query<HeldPerson>(
      `SELECT c.row_number AS row, c.learner, c.cells, coalesce(c.held_as, 'issue') AS "heldAs" FROM completion c JOIN run ON run.id = c.run_id
       WHERE c.run_id = $1 AND run.state = 'braked' ORDER BY c.row_number`,
      [runId],
    )
    return rows
  },

  ofPerson: async (sql, environment, who) => ({
    issuances: await issuancesOfLearner(sql, environment, who),
    waiting: await waitingCompletions(sql, environment, who),
  }),

  // A correction has the occasion of what it corrects.
  async occasions(sql, issuances) {
    const { rows } = await sql.query<{ id: number; occasion: Date | null }>(
      `WITH RECURSIVE line AS (
         SELECT i.id, 0 AS corrected, i.run_id, i.row_number, i.corrects FROM issuance i WHERE i.id = ANY($1)
         UNION ALL SELECT line.id, line.corrected + 1, o.run_id, o.row_number, o.corrects FROM issuance o JOIN line ON o.id = line.corrects)
       SELECT DISTINCT ON (line.id) line.id, c.occasion FROM line JOIN completion c USING (run_id, row_number) ORDER BY line.id, line.corrected`,
      [issuances],
    )
    return new Map(rows.flatMap(({ id, occasion }) => (occasion === null ? [] : [[id, occasion]])))
  },
}
