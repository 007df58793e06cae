// One identity with two names in one file is two people or a slip of the pen, and nobody here can tell which: both rows go back to their owner.

import { bytesArray } from '#src/database/binary-array.ts'
import type { Sql } from '#src/database/database.ts'
import { foldedName } from '#src/issuance/folded-text.ts'
import { byHashing } from './publish-rows.ts'

/** Of one person: the spellings of the name, each a list of the name's parts. */
interface Spelled {
  identity: Buffer
  spellings: string[][]
}

// In the memory of this process at a time; more than one file in a thousand has at all.
const mostAtOnce = 5_000

/**
 * A row that is refused for something else counts: the address is perhaps its person's. Later rows of the same person with the same name are
 * duplicates, which is no conflict. Names are looked at where an identity comes again: nearly never, and taking them out of every row takes longer
 * than finding that out. Whether two of them are one name is decided here, as the dry run decides it.
 */
export async function refuseConflicts(
  sql: Sql,
  runId: string,
  nameFields: readonly string[],
  atOnce = mostAtOnce,
): Promise<void> {
  const name = `jsonb_build_array(${nameFields.map((_, index) => `coalesce(recipient->>$${index + 4}::text, '')`).join(', ')})`
  let after: Buffer = Buffer.alloc(0)
  await byHashing(sql, async () => {
    for (;;) {
      const { rows } = await sql.query<Spelled>(
        `WITH again AS MATERIALIZED (
           SELECT identity_hash FROM staged_row WHERE run_id = $1 AND identity_hash > $2 GROUP BY identity_hash HAVING count(*) > 1)
         SELECT identity_hash AS identity, jsonb_agg(DISTINCT ${name}) AS spellings FROM again JOIN staged_row USING (identity_hash)
         WHERE run_id = $1 GROUP BY identity_hash HAVING count(DISTINCT ${name}) > 1 ORDER BY identity_hash LIMIT $3`,
        [runId, after, atOnce, ...nameFields],
      )
      const conflicts = rows.filter(({ spellings }) => new Set(spellings.map(foldedName)).size > 1)
      if (conflicts.length > 0)
        await refuse(
          sql,
          runId,
          conflicts.map(({ identity }) => identity),
        )
      if (rows.length < atOnce) return
      after = rows.at(-1)?.identity ?? after
    }
  })
}

async function refuse(sql: Sql, runId: string, identities: readonly Buffer[]): Promise<void> {
  const sentence = `'The rows ' || array_to_string(c.rows[1:5], ', ') || CASE WHEN cardinality(c.rows) > 5 THEN ' and ' || cardinality(c.rows) - 5 || ' more' ELSE '' END || ' name the same person by different names. Correct the names or the identity, and issue the rows again.'`
  await sql.query(
    `WITH conflict AS (
       SELECT identity_hash, array_agg(row_number ORDER BY row_number) AS rows FROM unnest($2::bytea[]) identity_hash JOIN staged_row USING (identity_hash)
       WHERE run_id = $1 GROUP BY identity_hash)
     UPDATE staged_row s SET recipient = NULL, issuance_key = NULL, identity_hash = NULL, match_hashes = NULL,
       violations = coalesce(s.violations, '[]') || jsonb_build_array(jsonb_build_object('row', s.row_number, 'column', '', 'field', '', 'rule', 'identity_conflict', 'value', '', 'sentence', ${sentence}))
     FROM conflict c WHERE s.run_id = $1 AND s.identity_hash = c.identity_hash`,
    [runId, bytesArray(identities)],
  )
}
