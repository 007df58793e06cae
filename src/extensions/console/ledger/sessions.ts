// Sessions of the console. They are in the ledger, so that every worker knows them and they can be ended. Reads and
// writes the database.

import type { Database } from '#src/platform/database/database.ts'
import type { ConsoleGrant } from './local-users.ts'

/** A person who has signed in. */
export interface SignedIn extends ConsoleGrant {
  name: string
  /** Whether the person signed in here, with a password: a name at an identity provider may be somebody else's here. */
  isLocal?: boolean
}

/** What the password of a local user was compared with; null only before one is set. */
export interface LocalProof {
  password: string | null
}

/** How long a session lasts at most, and how long without a page being opened. */
export const sessionMs = { life: 12 * 3_600_000, idle: 30 * 60_000 }

/** The use of a session is noted no more often than this. */
const notedMs = 60_000

export function consoleSessionStore(db: Database, environment: string) {
  /** Sessions that began and were seen after these instants may still be used. */
  const openAt = (now: Date) => [new Date(now.getTime() - sessionMs.life), new Date(now.getTime() - sessionMs.idle)]
  return {
    /** Ends all sessions of a name, however the person signed in. @returns how many there were */
    async endAll(name: string): Promise<number> {
      const sql = 'DELETE FROM console_session WHERE environment = $1 AND name = $2'
      return (await db.query(sql, [environment, name])).rowCount
    },
    /**
     * @param proof what the person may do, if an identity provider said so; for a local user, whose role is looked up
     * with each request, the hash of the password that was compared
     * @returns false if the local user does not have this password any more: it was reset or removed in the meantime,
     * which ended all sessions
     */
    async begin(tokenHash: Buffer, name: string, proof: ConsoleGrant | LocalProof, now: Date): Promise<boolean> {
      const isOver = 'environment = $1 AND (began_at <= $2 OR seen_at <= $3)'
      await db.query(`DELETE FROM console_session WHERE ${isOver}`, [environment, ...openAt(now)])
      const columns = 'INSERT INTO console_session (token_hash, environment, name, began_at, seen_at, role, pipelines)'
      if ('role' in proof) {
        const values = [tokenHash, environment, name, now, proof.role, proof.pipelines]
        await db.query(`${columns} VALUES ($1, $2, $3, $4, $4, $5, $6)`, values)
        return true
      }
      // Locked, so that a reset of the password at the same time either waits and ends this session, or is waited for.
      const { rowCount } = await db.query(
        `${columns} SELECT $1, $2, $3, $4, $4, NULL, NULL FROM console_person
         WHERE environment = $2 AND name = $3 AND password IS NOT DISTINCT FROM $5 FOR SHARE`,
        [tokenHash, environment, name, now, proof.password],
      )
      return rowCount > 0
    },
    /**
     * Who is signed in; null if the session has ended.
     * @param options.extends whether a person opened a page: what a page asks for by itself keeps no session alive
     * @param options.local whether local users may be signed in, and `provided`: those of an identity provider
     */
    async find(
      tokenHash: Buffer,
      now: Date,
      options: { extends: boolean; local: boolean; provided: boolean },
    ): Promise<SignedIn | null> {
      const { rows } = await db.query<SignedIn & { seenAt: Date }>(
        `SELECT s.name, coalesce(s.role, p.role) AS role, CASE WHEN s.role IS NULL THEN p.pipelines ELSE s.pipelines END AS pipelines, s.role IS NULL AS "isLocal", s.seen_at AS "seenAt"
         FROM console_session s LEFT JOIN console_person p ON p.environment = s.environment AND p.name = s.name
         WHERE s.environment = $1 AND s.token_hash = $2 AND s.began_at > $3 AND s.seen_at > $4 AND coalesce(s.role, p.role) IS NOT NULL
           AND CASE WHEN s.role IS NULL THEN $5 ELSE $6 END::boolean`,
        [environment, tokenHash, ...openAt(now), options.local, options.provided],
      )
      const [found] = rows
      if (!found) return null
      const { seenAt, ...person } = found
      if (options.extends && now.getTime() - seenAt.getTime() >= notedMs)
        await db.query('UPDATE console_session SET seen_at = $2 WHERE token_hash = $1', [tokenHash, now])
      return person
    },
    async end(tokenHash: Buffer): Promise<void> {
      await db.query('DELETE FROM console_session WHERE environment = $1 AND token_hash = $2', [environment, tokenHash])
    },
  }
}
