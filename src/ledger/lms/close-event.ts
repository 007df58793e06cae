// Closes an event of which nothing will become, by an operator's decision. Writes to the database.

import type { Sql } from '#src/platform/database/database.ts'
import { noBody } from './event-assignments.ts'

/**
 * Closes an event that was not understood, or whose course is not known: it leads to no completion, and its body goes.
 * @returns false if it is neither
 */
export async function closeEvent(sql: Sql, environment: string, id: number): Promise<boolean> {
  const { rowCount } = await sql.query(
    `UPDATE delivery SET state = 'judged', problem = NULL, judged_at = clock_timestamp(), ${noBody}
     WHERE environment = $1 AND id = $2 AND state IN ('strange', 'unclaimed')`,
    [environment, id],
  )
  return rowCount > 0
}
