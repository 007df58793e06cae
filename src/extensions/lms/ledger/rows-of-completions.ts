// What the ledger does with rows that come from completions: refuses or forgets them while it publishes their run, and
// finds those of a learner. Reads and writes the database within the caller's transaction.

import { foldedName } from '#src/domain/credential/person-index.ts'
import { maskValue } from '#src/domain/recipient/mask-value.ts'
import type { HeldPerson, RowsFromElsewhere, WaitingRow } from '#src/ledger/runs/rows-from-elsewhere.ts'
import { emptiedRow, erasureDay } from '#src/ledger/runs/skip-forgotten.ts'
import type { Sql } from '#src/platform/database/database.ts'
import { emptyCompletions } from './forget-learners.ts'
import { formerLearner, refuseOtherLearner } from './refuse-other-learner.ts'
import { noteRulesHash } from './refused-completions.ts'

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

interface RowOfKnown {
  row: number
  system: string
  learner: string
  known: number
  source: string
  fresh: Readonly<Record<string, string>>
  knownAs: Readonly<Record<string, string>>
}

/**
 * Refuses completions whose address, or other identity, belongs to a credential that came from a file or from another
 * system and has a different name, so that an operator decides. It is unknown whether this is the same person; if it is
 * not, the learner's profile would show somebody else's credential. The learner's id is recorded in the history of the
 * credential. Names are compared as in `refuseIdentityConflicts`. A name field that is empty in either of the two is
 * not compared.
 */
export async function refuseOtherName(
  sql: Sql,
  runId: string,
  { environment, course, nameFields }: { environment: string; course: string; nameFields: readonly string[] },
): Promise<void> {
  const { rows } = await sql.query<RowOfKnown>(
    `SELECT s.row_number AS row, c.system, c.learner, i.id AS known, known.source_name AS source, s.recipient AS fresh, i.recipient AS "knownAs"
     FROM completion c JOIN staged_row s ON s.run_id = c.run_id AND s.row_number = c.row_number AND s.violations IS NULL
     JOIN issuance i ON i.environment = $2 AND i.course_uuid = $3 AND i.issuance_key = s.issuance_key AND i.recipient <> s.recipient
     JOIN run known ON known.id = i.run_id LEFT JOIN ${formerLearner('i.id', 'c.system')} k ON true
     WHERE c.run_id = $1 AND k.learner IS NULL ORDER BY s.row_number`,
    [runId, environment, course],
  )
  for (const each of rows) {
    const comparedFields = nameFields.filter((field) => each.fresh[field] && each.knownAs[field])
    const nameIn = (recipient: RowOfKnown['fresh']) => foldedName(comparedFields.map((field) => recipient[field] ?? ''))
    if (nameIn(each.fresh) !== nameIn(each.knownAs)) await refuseRow(sql, runId, each, comparedFields)
  }
}

async function refuseRow(sql: Sql, runId: string, row: RowOfKnown, nameFields: readonly string[]): Promise<void> {
  const violation = { column: '', field: '', rule: 'other_learner', value: '', known: row.known }
  const violations = [{ row: row.row, ...violation, sentence: sentenceOf(row, nameFields) }]
  await sql.query(
    `WITH noted AS (
       INSERT INTO history (issuance_id, event, evidence)
       SELECT $3, 'another learner has the same identity', $4::jsonb
       WHERE NOT EXISTS (SELECT FROM history h WHERE h.issuance_id = $3 AND h.evidence = $4::jsonb))
     UPDATE staged_row SET recipient = NULL, issuance_key = NULL, identity_hash = NULL, match_hashes = NULL, violations = $5
     WHERE run_id = $1 AND row_number = $2`,
    [
      ...[runId, row.row, row.known],
      JSON.stringify({ system: row.system, other: numberOf(row.learner) }),
      JSON.stringify(violations),
    ],
  )
}

function sentenceOf(
  { system, learner, known, source, fresh, knownAs }: RowOfKnown,
  nameFields: readonly string[],
): string {
  const differingFields = nameFields.filter(
    (field) => foldedName([fresh[field] ?? '']) !== foldedName([knownAs[field] ?? '']),
  )
  const maskedNames = (recipient: RowOfKnown['fresh']) =>
    differingFields.map((field) => `${field} ${maskValue(recipient[field] ?? '')}`).join(', ')
  const number = numberOf(learner)
  const who = number === null ? 'the learner' : `learner ${number}`
  return `The credential i${known}, from ${source}, has this address or number, but a different name: ${maskedNames(knownAs)} in the credential, ${maskedNames(fresh)} for ${who} of ${system}. No credential was issued, and nothing is written to the learner's profile. If they are the same person, correct the name in ${system}, or in the credential (credsync correct i${known}). If not, give ${who} a separate address in ${system}.`
}

/**
 * The learner's id if it is a number; null for an id that may be an address or a name, which must not be in a message.
 */
const numberOf = (learner: string) => (/^[0-9]{1,19}$/.test(learner) ? learner : null)

/** SQL: whether the learner of completion c has $1 as id, ID number, user name or e-mail address. */
const isCalled = `(c.learner = $1 OR c.cells->>'idnumber' = $1 OR lower($1) IN (lower(c.cells->>'email'), lower(c.cells->>'username')))`

/** The ids of issuances that come from completions of the learner who is called `who`. */
async function issuancesOfLearner(sql: Sql, environment: string, who: string): Promise<number[]> {
  const { rows } = await sql.query<{ id: number }>(
    `SELECT DISTINCT r.issuance_id AS id FROM completion c JOIN run_row r ON r.run_id = c.run_id AND r.row_number = c.row_number
     WHERE $2 IN (c.environment, 'any') AND r.issuance_id IS NOT NULL AND ${isCalled}`,
    [who, environment],
  )
  return rows.map(({ id }) => id)
}

const renewsNothing =
  'It is older than the newest known completion of this learner, and renews nothing. To issue it all the same, submit it in a file.'

/**
 * Finds the completions of a learner that have no credential, with the reason if one is known.
 * @param who the learner's id, ID number, user name or e-mail address in the learning system; user name and address are
 * compared without regard to case
 */
async function waitingCompletions(sql: Sql, environment: string, who: string): Promise<WaitingRow[]> {
  const { rows } = await sql.query<WaitingRow>(
    `SELECT c.environment, c.system, c.pipeline, c.learner, c.course, c.completed_at AS "completedAt", c.found_at AS "foundAt", c.run_id AS run, run.state AS "runState", run.rejected_at IS NOT NULL AS "isRejected",
            c.row_number AS row, coalesce(CASE c.state WHEN 'same' THEN '${renewsNothing}' END, run.refusal, (SELECT string_agg(v->>'sentence', ' ') FROM jsonb_array_elements(r.violations) v)) AS reason
     FROM completion c LEFT JOIN run ON run.id = c.run_id LEFT JOIN run_row r ON r.run_id = c.run_id AND r.row_number = c.row_number
     WHERE $2 IN (c.environment, 'any') AND (c.state <> 'same' OR c.occasion IS NOT NULL) AND (r.outcome IS NULL OR r.outcome = 'invalid')
       AND ${isCalled}
     ORDER BY c.found_at, c.id`,
    [who, environment],
  )
  return rows
}
