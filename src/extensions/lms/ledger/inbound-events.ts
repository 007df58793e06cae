// Stores the events that learning systems send, before their requests are answered, and later the result of processing
// them. An erasure can hold off new events. Reads and writes the database.

import type { Database, Sql } from '#src/platform/database/database.ts'

export interface NewInboundEvent {
  system: string
  /** In hexadecimal; the same for an exact resend. */
  key: string
  /** The request's headers, without those that authenticate the sender. */
  headers: Readonly<Record<string, string>>
  body: Buffer
}

/** An event whose id was chosen by its sender. */
export interface NewStatement {
  /** Derived from the id, in hexadecimal. */
  key: string
  /** Digest of the content: two events with the same id and content have the same digest. */
  digest: string
  body: string
  /** The key of the event that this one voids; null if none. */
  voids: string | null
}

export interface InboundEvent {
  id: number
  system: string
  arrivedAt: Date
  headers: Record<string, string>
  body: Buffer
  /** Whether another event voids it. */
  voided: boolean
  /** Whether it has been processed before. */
  again: boolean
}

export interface UnreadableEvent {
  id: number
  system: string
  arrivedAt: Date
  /** A sentence that contains no values of the event. */
  problem: string
}

/**
 * The result of processing an event. Nothing is kept of an event that is only about forgotten people.
 * `left`: why it led to nothing, without values of the event.
 */
export type ProcessingOutcome =
  | { kind: 'processed'; isForgotten?: boolean; left?: string | undefined }
  /** It is about a course that no pipeline names. */
  | { kind: 'unclaimed' }
  /** It was not understood. The problem is a sentence that contains no values of the event. */
  | { kind: 'strange'; problem: string }

export interface InboundCounts {
  system: string
  /** Events that are not processed yet. */
  unprocessed: number
  /** Events that were not understood. */
  strange: number
  /** Events about courses that no pipeline names, as long as they can be processed again. */
  unclaimed: number
  /** Events that led to nothing because of what happened to the learner, as long as they can be processed again. */
  left: number
  /** What the latest held event is waiting for: a sentence that contains no values of the event. */
  held: string | null
}

/** One event in full. Contains personal data, and anything else that the sender wrote. */
export interface StoredEvent {
  id: number
  system: string
  arrivedAt: Date
  state: 'new' | ProcessingOutcome['kind']
  problem: string | null
  /** Null once it has been deleted. */
  body: Buffer | null
}

export type InboundEventStore = ReturnType<typeof inboundEventStore>

export function inboundEventStore(db: Database, environment: string) {
  const eventColumns = 'id, system, arrived_at AS "arrivedAt"'
  return {
    /** Stores all of the events, or none if this fails. @returns how many of them are new */
    keep: async (events: readonly NewInboundEvent[]): Promise<number> => {
      const column = <Value>(select: (event: NewInboundEvent) => Value) => events.map(select)
      const { rowCount } = await db.query(
        `WITH permitted AS MATERIALIZED (SELECT ${recordingLock('$1::text')})
         INSERT INTO inbound_event (environment, system, key, headers, body)
         SELECT $1, system, decode(key, 'hex'), headers, body FROM permitted, unnest($2::text[], $3::text[], $4::jsonb[], $5::bytea[]) v(system, key, headers, body)
         ON CONFLICT (environment, system, key) DO NOTHING`,
        [
          environment,
          column(({ system }) => system),
          column(({ key }) => key),
          column(({ headers }) => JSON.stringify(headers)),
          column(({ body }) => body),
        ],
      )
      return rowCount
    },
    /**
     * Stores all of the events, or none if one of them is already stored with different content.
     * @returns the keys of the conflicting events
     */
    keepNamed: (system: string, statements: readonly NewStatement[]): Promise<string[]> =>
      db.transaction(async (sql) => {
        const [keys, digests] = [statements.map(({ key }) => key), statements.map(({ digest }) => digest)]
        // Locked first, so that the second of two concurrent requests with the same id sees what the first has stored.
        await sql.query(`SELECT ${recordingLock('$1::text')}, pg_advisory_xact_lock(hashtextextended($2, 0))`, [
          ...[environment, `credsync:${environment}:events:${system}`],
        ])
        const { rows: conflicts } = await sql.query<{ key: string }>(
          `SELECT g.key FROM unnest($3::text[], $4::text[]) g(key, digest)
           JOIN inbound_event v ON v.environment = $1 AND v.system = $2 AND v.key = decode(g.key, 'hex') WHERE v.digest IS DISTINCT FROM g.digest`,
          [environment, system, keys, digests],
        )
        if (conflicts.length > 0) return conflicts.map(({ key }) => key)
        await sql.query(
          `INSERT INTO inbound_event (environment, system, key, digest, headers, body, voids)
           SELECT $1, $2, decode(key, 'hex'), digest, '{}', convert_to(body, 'UTF8'), decode(voids, 'hex')
           FROM unnest($3::text[], $4::text[], $5::text[], $6::text[]) v(key, digest, body, voids)
           ON CONFLICT (environment, system, key) DO NOTHING`,
          [
            environment,
            system,
            keys,
            digests,
            statements.map(({ body }) => body),
            statements.map(({ voids }) => voids),
          ],
        )
        return []
      }),
    /** Systems with unprocessed events. */
    waiting: async (): Promise<string[]> => {
      const { rows } = await db.query<{ system: string }>(
        `SELECT DISTINCT system FROM inbound_event WHERE environment = $1 AND state = 'new' AND due_at <= statement_timestamp()`,
        [environment],
      )
      return rows.map(({ system }) => system)
    },
    /** The next events to process, oldest first. */
    unprocessed: async (system: string, limit: number): Promise<InboundEvent[]> => {
      const { rows } = await db.query<InboundEvent>(
        `SELECT ${eventColumns}, headers, body, processed_at IS NOT NULL AS again,
                EXISTS (SELECT FROM inbound_event o WHERE o.environment = v.environment AND o.system = v.system AND o.voids = v.key) AS voided
         FROM inbound_event v WHERE environment = $1 AND system = $2 AND state = 'new' AND due_at <= statement_timestamp() ORDER BY id LIMIT $3`,
        [environment, system, limit],
      )
      return rows
    },
    /** Postpones all unprocessed events of a system by `waitMs`. */
    postpone: async (system: string, waitMs: number): Promise<void> => {
      await db.query(
        `UPDATE inbound_event SET due_at = greatest(due_at, clock_timestamp() + make_interval(secs => $3)) WHERE environment = $1 AND system = $2 AND state = 'new'`,
        [environment, system, waitMs / 1_000],
      )
    },
    /** Postpones one event by `waitMs`. @param problem what it is waiting for, without values of the event */
    hold: async (id: number, problem: string, waitMs: number): Promise<void> => {
      await db.query(
        `UPDATE inbound_event SET problem = $2, due_at = clock_timestamp() + make_interval(secs => $3) WHERE id = $1 AND state = 'new'`,
        [id, problem, waitMs / 1_000],
      )
    },
    noteProcessed: async (id: number, outcome: ProcessingOutcome): Promise<void> => {
      const isForgotten = outcome.kind === 'processed' && outcome.isForgotten === true
      await db.query(
        `UPDATE inbound_event SET state = $2, problem = $3, processed_at = clock_timestamp()${isForgotten ? `, ${noBody}` : ''} WHERE id = $1`,
        [
          id,
          outcome.kind,
          outcome.kind === 'strange' ? outcome.problem : outcome.kind === 'processed' ? (outcome.left ?? null) : null,
        ],
      )
    },
    /**
     * Closes an event by an operator's decision: it leads to no further completion, and its body is deleted.
     * Completions that came from it are not changed.
     * @returns false if it is closed already, or about to be processed
     */
    close: async (id: number): Promise<boolean> => {
      const { rowCount } = await db.query(
        `UPDATE inbound_event SET state = 'processed', problem = NULL, processed_at = coalesce(processed_at, clock_timestamp()), ${noBody}
         WHERE environment = $1 AND id = $2 AND body IS NOT NULL AND (state <> 'new' OR problem IS NOT NULL)`,
        [environment, id],
      )
      return rowCount > 0
    },
    /** Stored events that were not understood, newest first. */
    strange: async (system: string | null, limit: number): Promise<UnreadableEvent[]> => {
      const { rows } = await db.query<UnreadableEvent>(
        `SELECT ${eventColumns}, problem FROM inbound_event WHERE environment = $1 AND state = 'strange' AND ($2::text IS NULL OR system = $2) ORDER BY id DESC LIMIT $3`,
        [environment, system, limit],
      )
      return rows
    },
    /**
     * Counts the events of each system that are unprocessed, not understood, or about courses that no pipeline names.
     */
    counts: async (): Promise<InboundCounts[]> => {
      const { rows } = await db.query<InboundCounts>(
        // One subquery for each state, so that each uses its own partial index; settled events, which are many, have
        // none.
        `SELECT system, (count(*) FILTER (WHERE state = 'new'))::int AS unprocessed, (count(*) FILTER (WHERE state = 'strange'))::int AS strange,
                (count(*) FILTER (WHERE state = 'unclaimed'))::int AS unclaimed,
                (count(*) FILTER (WHERE state = 'processed'))::int AS left,
                (array_agg(problem ORDER BY id DESC) FILTER (WHERE state = 'new' AND problem IS NOT NULL))[1] AS held
         FROM (SELECT id, system, state, problem FROM inbound_event WHERE environment = $1 AND state = 'new'
               UNION ALL SELECT id, system, state, problem FROM inbound_event WHERE environment = $1 AND state = 'strange'
               UNION ALL SELECT id, system, state, problem FROM inbound_event WHERE environment = $1 AND state = 'unclaimed' AND body IS NOT NULL
               UNION ALL SELECT id, system, state, problem FROM inbound_event WHERE environment = $1 AND state = 'processed' AND problem IS NOT NULL AND body IS NOT NULL) v
         GROUP BY system ORDER BY system`,
        [environment],
      )
      return rows
    },
    /** An event by its id; null if there is none. */
    find: async (id: number): Promise<StoredEvent | null> => {
      const { rows } = await db.query<StoredEvent>(
        `SELECT ${eventColumns}, state, problem, body FROM inbound_event WHERE environment = $1 AND id = $2`,
        [environment, id],
      )
      return rows[0] ?? null
    },
    /**
     * Makes strange, unclaimed and held events due to be processed again, because the configuration or the course may
     * have been fixed by now.
     * @returns how many
     */
    processAgain: async (system: string): Promise<number> =>
      (
        await db.query(
          `UPDATE inbound_event SET ${processAgainSql} WHERE environment = $1 AND system = $2
             AND (state = 'strange' OR state = 'unclaimed' AND body IS NOT NULL OR state = 'processed' AND problem IS NOT NULL AND body IS NOT NULL OR state = 'new' AND problem IS NOT NULL)`,
          [environment, system],
        )
      ).rowCount,
    /**
     * Deletes bodies and headers of events settled long ago, at most `limit` of them. Keys stay, to recognize resends.
     * @param retention for how many days each system's bodies are kept
     * @returns how many
     */
    forgetBodies: async (retention: readonly { system: string; days: number }[], limit = 1_000): Promise<number> =>
      (
        await db.query(
          `UPDATE inbound_event SET ${noBody} WHERE id IN (
             SELECT old.id FROM unnest($2::text[], $3::int[]) k(system, days),
               LATERAL (SELECT v.id FROM inbound_event v WHERE v.environment = $1 AND v.system = k.system AND v.state IN ('processed', 'unclaimed') AND v.body IS NOT NULL
                        AND v.processed_at < statement_timestamp() - make_interval(days => k.days) ORDER BY v.processed_at LIMIT $4) old)`,
          [environment, retention.map(({ system }) => system), retention.map(({ days }) => days), limit],
        )
      ).rowCount,
  }
}

/**
 * SQL: the assignments that make an event due to be processed again now. The time of its earlier processing is kept, so
 * that it still counts as processed before.
 */
export const processAgainSql = `state = 'new', problem = NULL, due_at = clock_timestamp()`

/** SQL: the assignments that delete what the sender wrote. */
export const noBody = `body = NULL, headers = '{}'`

/**
 * SQL: the key of the lock between recording events and an erasure.
 * @param environment SQL for the text of the environment
 */
const keyOf = (environment: string) => `hashtextextended('credsync:' || ${environment} || ':recording', 0)`

/**
 * SQL: the lock that a transaction takes before it records its first event, and holds until its end. It is shared: any
 * number of transactions may hold it.
 */
const recordingLock = (environment: string) => `pg_advisory_xact_lock_shared(${keyOf(environment)})`

/**
 * Waits for events that are being recorded, and prevents others from being recorded until the end of the transaction.
 * An erasure finds people in events by the data that it then deletes, so no event may be recorded between its last
 * search and the deletion.
 */
export async function stopRecording(sql: Sql, environment: string): Promise<void> {
  await sql.query(`SELECT pg_advisory_xact_lock(${keyOf('$1::text')})`, [environment])
}
