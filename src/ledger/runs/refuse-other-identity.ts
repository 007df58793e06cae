// Refuses new rows of people whom the ledger knows by other identity fields, for example because the configuration was
// changed or because an adoption used other fields. By the current fields, these people are unknown, so each would get
// a second credential. Reads and writes staged rows within the caller's transaction.

import { isSamePerson, type PersonComparison } from '#src/domain/credential/same-person.ts'
import type { Sql } from '#src/platform/database/database.ts'
import { refuseRows } from './refuse-other-primary-value.ts'

interface MatchedRow {
  row: number
  recipient: Readonly<Record<string, string>>
  known: number
  knownAs: Readonly<Record<string, string>>
}

const pageRows = 10_000

// SQL: the rows that match an issuance with another key by the hashes that also find its report item. A completion that
// renews an earlier one is left out, because a second credential for its person is intended.
const fromMatchedRows = `FROM staged_row s CROSS JOIN LATERAL unnest(s.match_hashes) AS h(hash) JOIN issuance_match m ON m.hash = h.hash JOIN issuance i ON i.id = m.issuance_id
  WHERE s.run_id = $1 AND s.violations IS NULL AND i.environment = $2 AND i.course_uuid = $3 AND i.recipient IS NOT NULL AND i.issuance_key <> s.issuance_key
    AND NOT EXISTS (SELECT FROM issuance n WHERE n.corrects = i.id)
    AND NOT EXISTS (SELECT FROM issuance own WHERE own.environment = $2 AND own.course_uuid = $3 AND own.issuance_key = s.issuance_key)
    AND NOT s.renews`

/**
 * Refuses the rows, each with a message that names the row and the run from which the person is known. A file without
 * such rows takes only one query.
 */
export async function refuseOtherIdentity(
  sql: Sql,
  runId: string,
  { environment, course, rule }: { environment: string; course: string; rule: PersonComparison },
): Promise<void> {
  const { rows: span } = await sql.query<{ first: number | null; last: number | null }>(
    `SELECT min(s.row_number) AS first, max(s.row_number) AS last ${fromMatchedRows}`,
    [runId, environment, course],
  )
  const { first = null, last = null } = span[0] ?? {}
  if (first === null || last === null) return
  for (let from = first; from <= last; from += pageRows) {
    const { rows } = await sql.query<MatchedRow>(
      `SELECT s.row_number AS row, s.recipient, i.id AS known, i.recipient AS "knownAs" ${fromMatchedRows} AND s.row_number >= $4 AND s.row_number < $5 ORDER BY s.row_number, i.id`,
      [runId, environment, course, from, from + pageRows],
    )
    const found = new Map<number, number>()
    for (const { row, recipient, known, knownAs } of rows)
      if (!found.has(row) && isSamePerson(knownAs, recipient, rule)) found.set(row, known)
    if (found.size > 0)
      await refuseRows(sql, runId, rule.nameFields, {
        found: [...found].map(([row, known]) => ({ row, known })),
        difference: 'but under a different identity rule.',
        remedy:
          'If it is the same person, remove the row; or restore the former `identity` of the pipeline, or the values that the ledger has.',
      })
  }
}

/** Used by the dry run. Returns whether each of these rows, whose keys are unknown, would be refused. Reads only. */
export async function knownByOtherIdentity(
  sql: Sql,
  scope: { environment: string; course: string; rule: PersonComparison },
  rows: readonly { recipient: Readonly<Record<string, string>>; matchHashes: readonly Buffer[] }[],
): Promise<boolean[]> {
  const hashes = [
    ...new Set(rows.flatMap(({ matchHashes }) => matchHashes.map((matchHash) => matchHash.toString('hex')))),
  ]
  const { rows: known } = await sql.query<{ hash: string; recipient: Readonly<Record<string, string>> }>(
    `SELECT encode(m.hash, 'hex') AS hash, i.recipient FROM issuance_match m JOIN issuance i ON i.id = m.issuance_id
     WHERE m.hash = ANY($3::bytea[]) AND i.environment = $1 AND i.course_uuid = $2 AND i.recipient IS NOT NULL
       AND NOT EXISTS (SELECT FROM issuance n WHERE n.corrects = i.id)`,
    [scope.environment, scope.course, hashes.map((hash) => Buffer.from(hash, 'hex'))],
  )
  const byHash = Map.groupBy(known, ({ hash }) => hash)
  return rows.map(({ recipient, matchHashes }) =>
    matchHashes.some((hash) =>
      byHash.get(hash.toString('hex'))?.some((each) => isSamePerson(each.recipient, recipient, scope.rule)),
    ),
  )
}
