// Closes an event of which nothing will become, by an operator's decision. Writes to the database.

import type { Sql } from '#src/platform/database/database.ts'
import { noBody } from './event-assignments.ts'

/**
 * Closes an event: it leads to no further completion, and its body goes. Completions that came from it keep what they
 * have.
 * @returns false if it is closed already, or about to be processed
 */
export async function closeEvent(sql: Sql, environment: string, id: number): Promise<boolean> {
  const { rowCount } = await sql.query(
    `UPDATE inbound_event SET state = 'processed', problem = NULL, processed_at = coalesce(processed_at, clock_timestamp()), ${noBody}
     WHERE environment = $1 AND id = $2 AND body IS NOT NULL AND (state <> 'new' OR problem IS NOT NULL)`,
    [environment, id],
  )
  return rowCount > 0
}
