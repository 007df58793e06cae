// Writes which invalid rows and completions belong to an erasure. What was forgotten before belongs to a later erasure if
// that one releases the person. Writes to the database within the caller's transaction.

import type { Hasher } from '#src/domain/credential/identity-hasher.ts'
import type { Sql } from '#src/platform/database/database.ts'
import { type RowName, rowKey } from './found-person.ts'
import type { ComparisonOf } from './person-records.ts'
import { othersAmong, type RowNames } from './rows-of-others.ts'
import { isOfItsOwn } from './scan-people.ts'

/** SQL: whether an erasure takes over what belongs to another one. */
const takesOver = (other: string) =>
  `(SELECT releases FROM erasure WHERE id = excluded.erasure_id) AND NOT (SELECT releases FROM erasure WHERE id = ${other}.erasure_id)`

/** Also the rows of the completions that are invalid, or were skipped as somebody else: they repeat their data. */
export async function writeRows(
  sql: Sql,
  erasureId: string,
  environment: string,
  { rows, completions }: { rows: readonly RowName[]; completions: readonly number[] },
  of: { comparisonOf: ComparisonOf; hasher: Hasher },
): Promise<void> {
  const { rows: led } = await sql.query<RowName & { outcome: string }>(
    `SELECT r.run_id AS run, r.row_number AS row, r.outcome FROM completion c
     JOIN run_row r ON r.run_id = c.run_id AND r.row_number = c.row_number WHERE c.id = ANY($1::bigint[])`,
    [completions],
  )
  const others = await othersAmong(sql, led, of)
  const all = [...rows, ...led.filter((row) => row.outcome === 'invalid' || others.has(rowKey(row)))]
  await sql.query(
    `INSERT INTO erased_row AS e (run_id, row_number, erasure_id)
     SELECT DISTINCT r.run_id, r.row_number, $1::uuid FROM unnest($2::uuid[], $3::int[]) AS n(run, row)
     JOIN run ON run.id = n.run AND run.environment = $4 JOIN run_row r ON r.run_id = n.run AND r.row_number = n.row AND ${isOfItsOwn('r')}
     ON CONFLICT (run_id, row_number) DO UPDATE SET erasure_id = excluded.erasure_id WHERE ${takesOver('e')}`,
    [erasureId, all.map(({ run }) => run), all.map(({ row }) => row), environment],
  )
}

export async function writeCompletions(
  sql: Sql,
  erasureId: string,
  environment: string,
  of: { ids: readonly number[]; completions: readonly number[]; others: RowNames },
): Promise<void> {
  await sql.query(
    `INSERT INTO erased_completion AS e (completion_id, erasure_id)
     SELECT c.id, $1 FROM completion c WHERE c.environment = $2 AND c.id = ANY(ARRAY(
       SELECT unnest($3::bigint[])
       UNION SELECT l.id FROM run_row r JOIN completion l ON l.run_id = r.run_id AND l.row_number = r.row_number
         WHERE r.issuance_id = ANY($4::bigint[]) AND (r.run_id, r.row_number) NOT IN (SELECT * FROM unnest($5::uuid[], $6::int[]))
       UNION SELECT l.id FROM erased_row e JOIN completion l ON l.run_id = e.run_id AND l.row_number = e.row_number WHERE e.erasure_id = $1))
     ON CONFLICT (completion_id) DO UPDATE SET erasure_id = excluded.erasure_id WHERE ${takesOver('e')}`,
    [erasureId, environment, of.completions, of.ids, of.others.runs, of.others.rows],
  )
}

/** What is kept of rows and completions belongs to the erasure to which they belong now. */
export async function moveTraces(sql: Sql, erasureId: string, traces: readonly number[]): Promise<void> {
  await sql.query(
    `UPDATE erased_trace t SET erasure_id = $1 WHERE t.erasure_id <> $1 AND (t.id = ANY($2::bigint[])
       OR (t.run_id, t.row_number) IN (SELECT run_id, row_number FROM erased_row WHERE erasure_id = $1)
       OR t.completion_id IN (SELECT completion_id FROM erased_completion WHERE erasure_id = $1))`,
    [erasureId, traces],
  )
  await moveRecognized(sql, erasureId)
}

/** Completions that were recognized by what is kept are released with it. */
export async function moveRecognized(sql: Sql, erasureId: string): Promise<void> {
  await sql.query(
    `UPDATE erased_completion e SET erasure_id = $1 FROM erased_trace t
     WHERE t.erasure_id = $1 AND e.trace_id = t.id AND e.erasure_id <> $1 AND (SELECT releases FROM erasure WHERE id = $1)`,
    [erasureId],
  )
}
