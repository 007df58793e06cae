// Refuses rows of one file that have the same identity and different names. They may be two people or a typo, which
// cannot be determined here, so all of them go back to their owner. Reads and writes staged rows within the caller's
// transaction.

import { foldedName } from '#src/domain/credential/folded-text.ts'
import { bytesArray } from '#src/platform/database/binary-array.ts'
import type { Sql } from '#src/platform/database/database.ts'
import { withoutNestedLoops } from './publish-rows.ts'

/** An identity with several spellings of the name. Each spelling is a list of the parts of the name. */
interface SpelledIdentity {
  identity: Buffer
  spellings: string[][]
}

// How many identities are in memory at a time. Few files have more than a thousand conflicts.
const maxIdentitiesAtOnce = 5_000

/**
 * Refuses the rows. Rows that are refused for another reason count as well, because their identity may be right.
 * Further rows of a person with the same name are duplicates, not conflicts. Names are compared only where an identity
 * occurs more than once, which is rare: extracting them from every row takes longer than finding these identities. The
 * names are compared by the same code as in the dry run.
 */
export async function refuseIdentityConflicts(
  sql: Sql,
  runId: string,
  nameFields: readonly string[],
  atOnce = maxIdentitiesAtOnce,
): Promise<void> {
  const name = `jsonb_build_array(${nameFields.map((_, index) => `coalesce(recipient->>$${index + 4}::text, '')`).join(', ')})`
  let after: Buffer = Buffer.alloc(0)
  await withoutNestedLoops(sql, async () => {
    for (;;) {
      const { rows } = await sql.query<SpelledIdentity>(
        `WITH again AS MATERIALIZED (
           SELECT identity_hash FROM staged_row WHERE run_id = $1 AND identity_hash > $2 GROUP BY identity_hash HAVING count(*) > 1)
         SELECT identity_hash AS identity, jsonb_agg(DISTINCT ${name}) AS spellings FROM again JOIN staged_row USING (identity_hash)
         WHERE run_id = $1 GROUP BY identity_hash HAVING count(DISTINCT ${name}) > 1 ORDER BY identity_hash LIMIT $3`,
        [runId, after, atOnce, ...nameFields],
      )
      const conflicts = rows.filter(({ spellings }) => new Set(spellings.map(foldedName)).size > 1)
      if (conflicts.length > 0)
        await refuseIdentities(
          sql,
          runId,
          conflicts.map(({ identity }) => identity),
        )
      if (rows.length < atOnce) return
      after = rows.at(-1)?.identity ?? after
    }
  })
}

async function refuseIdentities(sql: Sql, runId: string, identities: readonly Buffer[]): Promise<void> {
  const sentence = `'Rows ' || array_to_string(c.rows[1:5], ', ') || CASE WHEN cardinality(c.rows) > 5 THEN ' and ' || cardinality(c.rows) - 5 || ' more' ELSE '' END || ' give the same person different names. Correct the names or the identity.'`
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
