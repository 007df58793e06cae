// Refuses new rows of people whom the ledger knows by a different Primary Value. They would count as different people,
// and each would get a second credential. Reads and writes staged rows within the caller's transaction.

import { remedyOfRule } from '#src/domain/recipient/remedy-of-rule.ts'
import type { Sql } from '#src/platform/database/database.ts'
import { isOfCompletions } from './completions-path.ts'
import { knownPeople, type PersonRule } from './known-people.ts'

interface NewRow {
  row: number
  recipient: Readonly<Record<string, string>>
}

const pageRows = 10_000
const refusal = {
  difference: 'but with a different Primary Value.',
  remedy: 'Remove the row, or use the Primary Value of that row.',
}
/** The remedy for a completion, for which no row can be removed from a file. */
const learnerRemedy = remedyOfRule('person_twice', '', 'learning system')

/**
 * Refuses the rows, each with a message that names the row and the run from which the person is known. A file without
 * new people takes only one query.
 */
export async function refuseOtherPrimaryValue(
  sql: Sql,
  runId: string,
  { environment, course, rule }: { environment: string; course: string; rule: PersonRule },
): Promise<void> {
  let page = await newRows(sql, runId, { environment, course }, 0)
  if (page.length === 0) return
  const people = await knownPeople(sql, environment, course, rule)
  while (page.length > 0) {
    const found = page.flatMap(({ row, recipient }) => {
      const known = people.find(recipient)
      return known === null ? [] : [{ row, known }]
    })
    await refuseRows(sql, runId, rule.nameFields, { found, ...refusal })
    page = await newRows(sql, runId, { environment, course }, page.at(-1)?.row ?? 0)
  }
}

/**
 * Returns one page of the staged rows with unknown keys. A completion that renews an earlier one is left out, because a
 * second credential for its person is intended.
 */
async function newRows(
  sql: Sql,
  runId: string,
  { environment, course }: { environment: string; course: string },
  after: number,
): Promise<NewRow[]> {
  const { rows } = await sql.query<NewRow>(
    `SELECT s.row_number AS row, s.recipient FROM staged_row s WHERE s.run_id = $1 AND s.row_number > $4 AND s.violations IS NULL AND s.forgotten_person IS NULL
       AND NOT EXISTS (SELECT FROM issuance i WHERE i.environment = $2 AND i.course_uuid = $3 AND i.issuance_key = s.issuance_key)
       AND NOT s.renews
     ORDER BY s.row_number LIMIT ${pageRows}`,
    [runId, environment, course, after],
  )
  return rows
}

/**
 * Refuses rows of known people, each with a message that names the row and the run from which the person is known. Like
 * every refused row, they keep their identity, because another row may use the same identity for someone else.
 * @param refusal.difference a clause about how the identification differs from the known row
 * @param refusal.remedy a sentence about what to do with a row of a file
 */
export async function refuseRows(
  sql: Sql,
  runId: string,
  nameFields: readonly string[],
  {
    found,
    difference,
    remedy,
  }: { found: readonly { row: number; known: number }[]; difference: string; remedy: string },
): Promise<void> {
  if (found.length === 0) return
  const sentence = `'The row names the same person as row ' || i.row_number || ' of ' || known.source_name || ' (run ' || left(known.id::text, 8) || '), ' || CASE WHEN (SELECT ${isOfCompletions('own')} FROM run own WHERE own.id = s.run_id) THEN $6 ELSE $5::text END`
  await sql.query(
    `UPDATE staged_row s SET issuance_key = NULL, match_hashes = NULL,
       recipient = (SELECT jsonb_object_agg(key, value) FROM jsonb_each(s.recipient) WHERE key = ANY($4::text[])),
       violations = jsonb_build_array(jsonb_build_object('row', s.row_number, 'column', '', 'field', 'Primary Value', 'rule', 'person_twice', 'value', '', 'sentence', ${sentence}))
     FROM unnest($2::int[], $3::bigint[]) f(row_number, known), issuance i JOIN run known ON known.id = i.run_id
     WHERE s.run_id = $1 AND s.row_number = f.row_number AND i.id = f.known`,
    [
      runId,
      found.map(({ row }) => row),
      found.map(({ known }) => known),
      nameFields,
      `${difference} ${remedy}`,
      `${difference} ${learnerRemedy}`,
    ],
  )
}
