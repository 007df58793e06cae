// Finds the rows that were skipped as those of a forgotten person, but have another name: if people are identified by an
// address, somebody else may share it. Reads the database only.

import { hasNameInCells } from '#src/domain/credential/erased-person.ts'
import type { Hasher } from '#src/domain/credential/identity-hasher.ts'
import type { Sql } from '#src/platform/database/database.ts'
import { eachOf } from '#src/platform/database/each-of.ts'
import { hashedNames } from '../forgotten-people.ts'

/** Rows of runs, as the columns of a query. */
export interface RowNames {
  runs: string[]
  rows: number[]
}

/**
 * A row whose name differed from that of the credential, and is not the name of what the credential corrects either.
 * If nothing is known of a name, the key decides, as it did when the row was skipped.
 * @param ids issuances that are written as erased
 */
export async function rowsOfOthers(sql: Sql, hasher: Hasher, ids: readonly number[]): Promise<RowNames> {
  const { rows: renamed } = await sql.query<{ run: string; row: number; cells: string[]; names: Buffer[] }>(
    `SELECT r.run_id AS run, r.row_number AS row, r.cells, ${hashedNames('r.issuance_id')} AS names
     FROM run_row r JOIN erased_issuance e ON e.issuance_id = r.issuance_id
     WHERE r.issuance_id = ${eachOf('$1')} AND r.forgotten_at IS NULL AND r.changed_fields ?| e.name_fields`,
    [ids],
  )
  const isOther = ({ cells, names }: (typeof renamed)[number]) =>
    names.length > 0 && !names.some((name) => hasNameInCells(cells, name, hasher))
  const others = renamed.filter(isOther)
  return { runs: others.map(({ run }) => run), rows: others.map(({ row }) => row) }
}
