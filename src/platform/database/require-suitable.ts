// Checks the assumptions of our statements that a connection cannot set itself: the encoding of the database, and
// settings that only an administrator can change for our account. Runs before the ledger's tables are created.

import type { Sql } from './database.ts'

/** Thrown if our statements would fail or do something else in this database. */
export class DatabaseUnsuitableError extends Error {
  override readonly name = 'DatabaseUnsuitableError'
}

interface Assumed {
  account: string
  encoding: string
  path: string
  role: string
  /** Milliseconds; null before PostgreSQL 17. */
  timeout: string | null
}

/** @throws DatabaseUnsuitableError which lists every fault and its remedy */
export async function requireSuitable(sql: Sql): Promise<void> {
  const { rows } = await sql.query<Assumed>(
    `SELECT quote_ident(current_user) AS account, current_setting('server_encoding') AS encoding, current_setting('search_path') AS path,
       current_setting('session_replication_role') AS role,
       (SELECT setting FROM pg_settings WHERE name = 'transaction_timeout') AS timeout`,
  )
  const faults = rows.flatMap(misfitsOf)
  if (faults.length > 0) throw new DatabaseUnsuitableError(faults.join(' '))
}

/** Returns one message for each fault, including its remedy. Pure. */
export function misfitsOf({ account, encoding, path, role, timeout }: Assumed): string[] {
  const faults: string[] = []
  if (encoding !== 'UTF8')
    faults.push(
      `The database of DATABASE_URL has the encoding ${encoding}, in which not every name can be stored. Create one for credsync: CREATE DATABASE credsync ENCODING 'UTF8' LOCALE 'C.UTF-8' TEMPLATE template0.`,
    )
  // Either all settings of a connection take effect or none does, so checking one is enough.
  if (!/^credsync\b/.test(path))
    faults.push(
      'What lies between credsync and PostgreSQL drops the settings of our connections. If it is PgBouncer, take options out of ignore_startup_parameters, or connect to PostgreSQL itself.',
    )
  if (role !== 'origin')
    faults.push(
      `session_replication_role is ${role}, so the rules of the ledger are not enforced. Run: ALTER ROLE ${account} SET session_replication_role = origin.`,
    )
  if (timeout !== null && timeout !== '0')
    faults.push(
      `transaction_timeout is ${timeout} ms, and storing a long list takes minutes. Run: ALTER ROLE ${account} SET transaction_timeout = 0.`,
    )
  return faults
}
