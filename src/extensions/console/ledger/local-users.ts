// The local users of the console: what each may do, and how each gets and proves a password. Reads and writes the
// database; the passwords are hashed elsewhere.

import type { Database, Sql } from '#src/platform/database/database.ts'

export const consoleRoles = ['viewer', 'registrar', 'operator'] as const
export type ConsoleRole = (typeof consoleRoles)[number]

/** What a person may do. `pipelines`: the only ones that the person sees; null for all. */
export interface ConsoleGrant {
  role: ConsoleRole
  pipelines: readonly string[] | null
}

export interface ConsolePerson extends ConsoleGrant {
  name: string
  hasPassword: boolean
  /** Until when the link for setting a password is valid; null if there is none. */
  linkEndsAt: Date | null
  addedAt: Date
  addedBy: string
}

export interface ConsoleLink {
  hash: Buffer
  endsAt: Date
}

const personColumns = `name, role, pipelines, password IS NOT NULL AS "hasPassword", link_ends_at AS "linkEndsAt", added_at AS "addedAt", added_by AS "addedBy"`

/** @param environment `any` for commands that only read */
export function consolePersonStore(db: Database, environment: string) {
  /** Not those of somebody of this name from an identity provider. */
  const endSessions = (sql: Sql, name: string) =>
    sql.query('DELETE FROM console_session WHERE environment = $1 AND name = $2 AND role IS NULL', [environment, name])
  return {
    /**
     * Adds a person, or gives a known one another role and a new link. The old password and all sessions of the person
     * end, because a person who asks for a new link may have lost control of them.
     */
    add: (name: string, grant: ConsoleGrant, link: ConsoleLink, by: string, now: Date): Promise<void> =>
      db.transaction(async (sql) => {
        await sql.query(
          `INSERT INTO console_person (environment, name, role, pipelines, link_hash, link_ends_at, added_at, added_by)
           VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
           ON CONFLICT (environment, name) DO UPDATE SET role = excluded.role, pipelines = excluded.pipelines, password = NULL,
             link_hash = excluded.link_hash, link_ends_at = excluded.link_ends_at, added_at = excluded.added_at, added_by = excluded.added_by`,
          [environment, name, grant.role, grant.pipelines, link.hash, link.endsAt, now, by],
        )
        await endSessions(sql, name)
      }),
    async list(): Promise<ConsolePerson[]> {
      const { rows } = await db.query<ConsolePerson>(
        `SELECT ${personColumns} FROM console_person WHERE environment = $1 ORDER BY name`,
        [environment],
      )
      return rows
    },
    /** Removes a person and ends all sessions of the person. False if there is no such person. */
    remove: (name: string): Promise<boolean> =>
      db.transaction(async (sql) => {
        const { rowCount } = await sql.query('DELETE FROM console_person WHERE environment = $1 AND name = $2', [
          environment,
          name,
        ])
        await endSessions(sql, name)
        return rowCount > 0
      }),
    /** The hash of the person's password; null if there is no such person, or none has been set. */
    async passwordOf(name: string): Promise<string | null> {
      const { rows } = await db.query<{ password: string | null }>(
        'SELECT password FROM console_person WHERE environment = $1 AND name = $2',
        [environment, name],
      )
      return rows[0]?.password ?? null
    },
    /** The person to whom a link belongs; null if there is none, or the link can no longer be used. */
    async byLink(hash: Buffer, now: Date): Promise<string | null> {
      const { rows } = await db.query<{ name: string }>(
        'SELECT name FROM console_person WHERE environment = $1 AND link_hash = $2 AND link_ends_at > $3',
        [environment, hash, now],
      )
      return rows[0]?.name ?? null
    },
    /**
     * Sets the password of the person to whom the link belongs, and ends the link.
     * @returns the person's name; null if the link was used before, or has expired
     */
    async useLink(hash: Buffer, password: string, now: Date): Promise<string | null> {
      const { rows } = await db.query<{ name: string }>(
        `UPDATE console_person SET password = $3, link_hash = NULL, link_ends_at = NULL
         WHERE environment = $1 AND link_hash = $2 AND link_ends_at > $4 RETURNING name`,
        [environment, hash, password, now],
      )
      return rows[0]?.name ?? null
    },
    /**
     * Gives a person another password, and ends the person's other sessions.
     * @returns false if the password is no longer `from`; then nothing was changed
     */
    changePassword: (name: string, from: string, to: string, keptSession: Buffer | null): Promise<boolean> =>
      db.transaction(async (sql) => {
        const { rowCount } = await sql.query(
          'UPDATE console_person SET password = $4 WHERE environment = $1 AND name = $2 AND password = $3',
          [environment, name, from, to],
        )
        if (rowCount > 0)
          await sql.query(
            `DELETE FROM console_session
             WHERE environment = $1 AND name = $2 AND role IS NULL AND token_hash IS DISTINCT FROM $3`,
            [environment, name, keptSession],
          )
        return rowCount > 0
      }),
  }
}
