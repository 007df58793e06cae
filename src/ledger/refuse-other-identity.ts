// New rows of people whom the ledger knows under another rule of identity, such as one that was changed in the configuration since, or that of an
// adoption: by today's rule they are nobody it knows, and each would get a second credential.

import type { Sql } from '#src/database/database.ts'
import { isSamePerson, type TellingApart } from '#src/issuance/same-person.ts'
import { refuseRows } from './refuse-known-twice.ts'

interface Hit {
  row: number
  recipient: Readonly<Record<string, string>>
  known: number
  knownAs: Readonly<Record<string, string>>
}

const pageRows = 10_000

// What a row is looked for by in the report, an issuance under another key is looked for by, too. A completion that renews an earlier one is meant
// to be a second credential of its person.
const hits = `FROM staged_row s CROSS JOIN LATERAL unnest(s.match_hashes) AS h(hash) JOIN issuance_match m ON m.hash = h.hash JOIN issuance i ON i.id = m.issuance_id
  WHERE s.run_id = $1 AND s.violations IS NULL AND i.environment = $2 AND i.course_uuid = $3 AND i.recipient IS NOT NULL AND i.issuance_key <> s.issuance_key
    AND NOT EXISTS (SELECT FROM issuance n WHERE n.corrects = i.id)
    AND NOT EXISTS (SELECT FROM issuance own WHERE own.environment = $2 AND own.course_uuid = $3 AND own.issuance_key = s.issuance_key)
    AND NOT EXISTS (SELECT FROM completion c WHERE c.run_id = s.run_id AND c.row_number = s.row_number AND c.occasion IS NOT NULL)`

/** Refuses them, each with the row and the run that it is known from. One question for a file that shares nothing with the course. */
export async function refuseOtherIdentity(
  sql: Sql,
  runId: string,
  { environment, course, rule }: { environment: string; course: string; rule: TellingApart },
): Promise<void> {
  const { rows: span } = await sql.query<{ first: number | null; last: number | null }>(
    `SELECT min(s.row_number) AS first, max(s.row_number) AS last ${hits}`,
    [runId, environment, course],
  )
  const { first = null, last = null } = span[0] ?? {}
  if (first === null || last === null) return
  for (let from = first; from <= last; from += pageRows) {
    const { rows } = await sql.query<Hit>(
      `SELECT s.row_number AS row, s.recipient, i.id AS known, i.recipient AS "knownAs" ${hits} AND s.row_number >= $4 AND s.row_number < $5 ORDER BY s.row_number, i.id`,
      [runId, environment, course, from, from + pageRows],
    )
    const found = new Map<number, number>()
    for (const { row, recipient, known, knownAs } of rows)
      if (!found.has(row) && isSamePerson(knownAs, recipient, rule)) found.set(row, known)
    if (found.size > 0)
      await refuseRows(sql, runId, rule.nameFields, {
        found: [...found].map(([row, known]) => ({ row, known })),
        how: 'under another rule of identity. Where it is one person, take the row out; bring back the former `identity` of the pipeline, or the values that the ledger knows.',
      })
  }
}

/** The same for the dry run: of rows whose key the ledger does not know, those that would be refused. Nothing is written. */
export async function knownOtherwise(
  sql: Sql,
  of: { environment: string; course: string; rule: TellingApart },
  rows: readonly { recipient: Readonly<Record<string, string>>; matchHashes: readonly Buffer[] }[],
): Promise<boolean[]> {
  const hashes = [...new Set(rows.flatMap(({ matchHashes }) => matchHashes.map((each) => each.toString('hex'))))]
  const { rows: known } = await sql.query<{ hash: string; recipient: Readonly<Record<string, string>> }>(
    `SELECT encode(m.hash, 'hex') AS hash, i.recipient FROM issuance_match m JOIN issuance i ON i.id = m.issuance_id
     WHERE m.hash = ANY($3::bytea[]) AND i.environment = $1 AND i.course_uuid = $2 AND i.recipient IS NOT NULL
       AND NOT EXISTS (SELECT FROM issuance n WHERE n.corrects = i.id)`,
    [of.environment, of.course, hashes.map((each) => Buffer.from(each, 'hex'))],
  )
  const byHash = Map.groupBy(known, ({ hash }) => hash)
  return rows.map(({ recipient, matchHashes }) =>
    matchHashes.some((hash) =>
      byHash.get(hash.toString('hex'))?.some((each) => isSamePerson(each.recipient, recipient, of.rule)),
    ),
  )
}
