// Detects a pooler that distributes the statements of one connection over several sessions of the server, and refuses
// it.

import type { Database, Session } from './database.ts'
import { sharedSessionsError } from './database-error.ts'

/**
 * Each connection must have its own session, because locks, settings and LISTEN belong to a session. A pooler in
 * transaction mode runs each statement in any session that is free. This check sees that as a session shared by two
 * connections, or as a connection whose session changes. A direct connection takes only one query to check.
 * @param session a connection that holds nothing yet
 * @throws DatabaseRefusedError
 */
export async function refusePooler(database: Database, session: Session): Promise<void> {
  const first = await sessionOf(session)
  // PostgreSQL reports the process id of the session to each client that connects, while a pooler makes up a number.
  if (first === session.process) return
  const other = await database.session()
  try {
    const isShared = (await sessionOf(other)) === first
    // A pooler that uses its sessions in rotation may happen to return to the first one once, so the check is repeated.
    if (isShared || (await sessionOf(session)) !== first || (await sessionOf(session)) !== first)
      throw sharedSessionsError()
  } finally {
    await other.release()
  }
}

async function sessionOf(session: Session): Promise<number | undefined> {
  const { rows } = await session.query<{ process: number }>('SELECT pg_backend_pid() AS process')
  return rows[0]?.process
}
