// Sessions of the console. They are in the ledger, so that every worker knows them and they can be ended. Reads and
// writes the database.

import type { Database } from '#src/platform/database/database.ts'
import type { ConsoleGrant } from './people.ts'

/** A person who has signed in. */
export interface SignedIn extends ConsoleGrant {
  name: string
}

/** What the password of a local person was compared with; null only before one is set. */
export interface LocalProof {
  password: string | null
}

/** How long a session lasts at most, and how long without a page being opened. */
export const sessionMs = { life: 12 * 3_600_000, idle: 30 * 60_000 }

/** More often than this, nobody needs to know that a session is in use. */
const notedMs = 60_000

export interface OpenSession {
  name: string
  /** Whether the person signed in with a password of ours, and not at an identity provider. */
  isLocal: boolean
  beganAt: Date
  seenAt: Date
}

export function consoleSessionStore(db: Database, environment: string) {
  const isOpen = 's.environment = $1 AND s.began_at > $2 AND s.seen_at > $3'
  const openAt = (now: Date) => [
    environment,
    new Date(now.getTime() - sessionMs.life),
    new Date(now.getTime() - sessionMs.idle),
  ]
  const columns = 's.name, s.role IS NULL AS "isLocal", s.began_at AS "beganAt", s.seen_at AS "seenAt"'
  // Two people of one name are apart: one of them signed in here, the other at an identity provider.
  const ofSame = 's.environment = o.environment AND s.name = o.name AND (s.role IS NULL) = (o.role IS NULL)'
  return {
    /** All sessions that may still be used. */
    async list(now: Date): Promise<OpenSession[]> {
      const { rows } = await db.query<OpenSession>(
        `SELECT ${columns} FROM console_session s WHERE ${isOpen} ORDER BY s.name, s.began_at, s.token_hash`,
        openAt(now),
      )
      return rows
    },
    /** The sessions of the person to whom this one belongs, the newest first. */
    async ofSamePerson(tokenHash: Buffer, now: Date): Promise<(OpenSession & { isThis: boolean })[]> {
      const { rows } = await db.query<OpenSession & { isThis: boolean }>(
        `SELECT ${columns}, s.token_hash = $4 AS "isThis" FROM console_session s JOIN console_session o ON ${ofSame}
         WHERE ${isOpen} AND o.token_hash = $4 ORDER BY s.began_at DESC, s.token_hash`,
        [...openAt(now), tokenHash],
      )
      return rows
    },
    /** Ends all sessions of the person to whom this one belongs, but not this one. */
    async endOthers(tokenHash: Buffer): Promise<void> {
      await db.query(
        `DELETE FROM console_session s USING console_session o
         WHERE s.environment = $1 AND o.token_hash = $2 AND ${ofSame} AND s.token_hash <> $2`,
        [environment, tokenHash],
      )
    },
    /** Ends all sessions of a name, however the person signed in. @returns how many there were */
    async endAll(name: string): Promise<number> {
      const sql = 'DELETE FROM console_session WHERE environment = $1 AND name = $2'
      return (await db.query(sql, [environment, name])).rowCount
    },
    /**
     * @param proof what the person may do, if an identity provider said so; for a local person, whose role is looked up
     * with each request, the hash of the password that was compared
     * @returns false if the local person does not have this password any more: it was reset or removed meanwhile, which
     * ended all sessions
     */
    async begin(tokenHash: Buffer, name: string, proof: ConsoleGrant | LocalProof, now: Date): Promise<boolean> {
      await db.query('DELETE FROM console_session WHERE environment = $1 AND (began_at <= $2 OR seen_at <= $3)', [
        environment,
        new Date(now.getTime() - sessionMs.life),
        new Date(now.getTime() - sessionMs.idle),
      ])
      const columns = 'INSERT INTO console_session (token_hash, environment, name, began_at, seen_at, role, pipelines)'
      if ('role' in proof) {
        const values = [tokenHash, environment, name, now, proof.role, proof.pipelines]
        await db.query(`${columns} VALUES ($1, $2, $3, $4, $4, $5, $6)`, values)
        return true
      }
      // Locked, so that whoever resets the password at the same time either waits and ends this session, or is waited for.
      const { rowCount } = await db.query(
        `${columns} SELECT $1, $2, $3, $4, $4, NULL, NULL FROM console_person
         WHERE environment = $2 AND name = $3 AND password IS NOT DISTINCT FROM $5 FOR SHARE`,
        [tokenHash, environment, name, now, proof.password],
      )
      return rowCount > 0
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
