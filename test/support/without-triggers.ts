// Writes rows that the ledger's triggers would refuse, for tests of single statements: the other side of a condition is
// often a row that the verbs never write.

import type { Database } from '#src/platform/database/database.ts'

export async function withoutTriggers(database: Database, statement: string, values: unknown[] = []): Promise<void> {
  await database.transaction(async (sql) => {
    await sql.query('SET LOCAL session_replication_role = replica')
    await sql.query(statement, values)
  })
}
