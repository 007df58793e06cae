// Sessions of the console. They are in the ledger, so that every worker knows them and they can be ended. Reads and
// writes the database.

import type { Database } from '#src/platform/database/database.ts'
import type { ConsoleGrant } from './people.ts'

/** A person who has signed in. */
export interface SignedIn extends ConsoleGrant {
  name: string
}

/** How long a session lasts at most, and how long without a page being opened. */
export const sessionMs = { life: 12 * 3_600_000, idle: 30 * 60_000 }

/** More often than this, nobody needs to know that a session is in use. */
const notedMs = 60_000

export function consoleSessionStore(db: Database, environment: string) {
  return {
    /**
     * @param grant what the person may do, if an identity provider said so; null for a local person, whose role is
     * looked up with each request
     */
    async begin(tokenHash: Buffer, name: string, grant: ConsoleGrant | null, now: Date): Promise<void> {
      await db.query('DELETE FROM console_session WHERE environment = $1 AND (began_at <= $2 OR seen_at <= $3)', [
        environment,
        new Date(now.getTime() - sessionMs.life),
        new Date(now.getTime() - sessionMs.idle),
      ])
      await db.query(
        `INSERT INTO console_session (token_hash, environment, name, role, pipelines, began_at, seen_at) VALUES ($1, $2, $3, $4, $5, $6, $6)`,
        [tokenHash, environment, name, grant?.role ?? null, grant?.pipelines ?? null, now],
      )
    },
    /**
     * Who is signed in; null if the session is over.
     * @param options.extends whether a person opened a page: what a page asks for by itself keeps no session alive
     * @param options.local whether local people may be signed in, and `provided`: those of an identity provider
     */
    async find(
      tokenHash: Buffer,
      now: Date,
      options: { extends: boolean; local: boolean; provided: boolean },
    ): Promise<SignedIn | null> {
      const { rows } = await db.query<SignedIn & { seenAt: Date }>(
        `SELECT s.name, coalesce(s.role, p.role) AS role, CASE WHEN s.role IS NULL THEN p.pipelines ELSE s.pipelines END AS pipelines, s.seen_at AS "seenAt"
         FROM console_session s LEFT JOIN console_person p ON p.environment = s.environment AND p.name = s.name
         WHERE s.environment = $1 AND s.token_hash = $2 AND s.began_at > $3 AND s.seen_at > $4 AND coalesce(s.role, p.role) IS NOT NULL
           AND CASE WHEN s.role IS NULL THEN $5 ELSE $6 END::boolean`,
        [
          environment,
          tokenHash,
          new Date(now.getTime() - sessionMs.life),
          new Date(now.getTime() - sessionMs.idle),
          options.local,
          options.provided,
        ],
      )
      const [found] = rows
      if (!found) return null
      const { seenAt, ...person } = found
      if (options.extends && now.getTime() - seenAt.getTime() >= notedMs)
        await db.query('UPDATE console_session SET seen_at = $3 WHERE environment = $1 AND token_hash = $2', [
          environment,
          tokenHash,
          now,
        ])
      return person
    },
    async end(tokenHash: Buffer): Promise<void> {
      await db.query('DELETE FROM console_session WHERE environment = $1 AND token_hash = $2', [environment, tokenHash])
    },
  }
}
