// Finds out whether a pooler gives the statements of one connection to different sessions of the server.

import type { Database, Session } from './database.ts'
import { sharedSessionsError } from './database-error.ts'

/**
 * Each connection must have a session of its own, for locks, settings and LISTEN. A pooler in transaction mode gives a
 * statement to whichever session is free: here the first session is given to the second connection, or the first
 * connection gets another one. A direct connection costs one query.
 * @param session a connection that holds nothing yet
 * @throws DatabaseRefusedError
 */
export async function refusePooler(database: Database, session: Session): Promise<void> {
  const first = await sessionOf(session)
  // PostgreSQL reports the process of its session to each client that connects; a pooler makes up a number.
  if (first === session.process) return
  const other = await database.session()
  try {
    const isShared = (await sessionOf(other)) === first
    // A pooler that gives the sessions out in turn may come back to the first one once.
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
