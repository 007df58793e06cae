// The verbs about deliveries: what learning systems sent us, kept as it came before it is answered, and judged afterwards.

import type { Database } from '#src/database/database.ts'

export interface NewDelivery {
  system: string
  /** Hex: of an exact resend it is the same. */
  key: string
  /** Without what proves who sent it. */
  headers: Readonly<Record<string, string>>
  body: Buffer
}

/** A delivery whose sender chose its id. */
export interface NamedDelivery {
  /** Hex, of the id. */
  key: string
  /** What makes two of one id the same. */
  digest: string
  body: string
  /** The key of the delivery that this one makes void; null when it makes none so. */
  voids: string | null
}

export interface Delivery {
  id: number
  system: string
  arrivedAt: Date
  headers: Record<string, string>
  body: Buffer
  /** Whether another one made it void. */
  voided: boolean
  /** Whether it is judged anew. */
  again: boolean
}

export interface StrangeDelivery {
  id: number
  system: string
  arrivedAt: Date
  /** A sentence without values. */
  problem: string
}

/** What a delivery came to. */
export type DeliveryOutcome =
  | { kind: 'judged' }
  /** It is about a course that no pipeline names. */
  | { kind: 'unclaimed' }
  /** @param problem a sentence without values */
  | { kind: 'strange'; problem: string }

export interface DeliveryCounts {
  system: string
  unjudged: number
  strange: number
  /** Of courses that no pipeline names, as long as they can be judged again. */
  unclaimed: number
  /** What the latest of those waits for that wait because of their course alone: a sentence without values. */
  held: string | null
}

/** One delivery in full: personal data, and whatever the sender wrote. */
export interface KeptDelivery {
  id: number
  system: string
  arrivedAt: Date
  state: 'new' | DeliveryOutcome['kind']
  problem: string | null
  /** Null when it was forgotten. */
  body: Buffer | null
}

/** What makes a delivery be judged now once more. That it was judged before stays: what came of it then counts. */
export const judgedAnew = `state = 'new', problem = NULL, due_at = clock_timestamp()`

/** Whether another delivery says of d that it counts no more. */
const isVoided =
  'EXISTS (SELECT FROM delivery v WHERE v.environment = d.environment AND v.system = d.system AND v.voids = d.key)'

export function deliveryVerbs(db: Database, environment: string) {
  const shown = 'id, system, arrived_at AS "arrivedAt"'
  return {
    /** All or nothing. @returns how many had not come before */
    keep: async (deliveries: readonly NewDelivery[]): Promise<number> => {
      const column = <Value>(of: (delivery: NewDelivery) => Value) => deliveries.map(of)
      const { rowCount } = await db.query(
        `INSERT INTO delivery (environment, system, key, headers, body)
         SELECT $1, system, decode(key, 'hex'), headers, body FROM unnest($2::text[], $3::text[], $4::jsonb[], $5::bytea[]) d(system, key, headers, body)
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
    /** All or nothing, and nothing when one of them is here with another content. @returns the keys of those */
    keepNamed: (system: string, deliveries: readonly NamedDelivery[]): Promise<string[]> =>
      db.transaction(async (sql) => {
        const [keys, digests] = [deliveries.map(({ key }) => key), deliveries.map(({ digest }) => digest)]
        // First, so that of two who bring one id at once the second sees what the first brought.
        await sql.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [
          `credsync:${environment}:deliveries:${system}`,
        ])
        const { rows: others } = await sql.query<{ key: string }>(
          `SELECT g.key FROM unnest($3::text[], $4::text[]) g(key, digest)
           JOIN delivery d ON d.environment = $1 AND d.system = $2 AND d.key = decode(g.key, 'hex') WHERE d.digest IS DISTINCT FROM g.digest`,
          [environment, system, keys, digests],
        )
        if (others.length > 0) return others.map(({ key }) => key)
        await sql.query(
          `INSERT INTO delivery (environment, system, key, digest, headers, body, voids)
           SELECT $1, $2, decode(key, 'hex'), digest, '{}', convert_to(body, 'UTF8'), decode(voids, 'hex')
           FROM unnest($3::text[], $4::text[], $5::text[], $6::text[]) d(key, digest, body, voids)
           ON CONFLICT (environment, system, key) DO NOTHING`,
          [
            environment,
            system,
            keys,
            digests,
            deliveries.map(({ body }) => body),
            deliveries.map(({ voids }) => voids),
          ],
        )
        return []
      }),
    /** Systems with deliveries that nobody has judged. */
    waiting: async (): Promise<string[]> => {
      const { rows } = await db.query<{ system: string }>(
        `SELECT DISTINCT system FROM delivery WHERE environment = $1 AND state = 'new' AND due_at <= statement_timestamp()`,
        [environment],
      )
      return rows.map(({ system }) => system)
    },
    /** The next to be judged, oldest first. */
    unjudged: async (system: string, most: number): Promise<Delivery[]> => {
      const { rows } = await db.query<Delivery>(
        `SELECT ${shown}, headers, body, judged_at IS NOT NULL AS again, ${isVoided} AS voided
         FROM delivery d WHERE environment = $1 AND system = $2 AND state = 'new' AND due_at <= statement_timestamp() ORDER BY id LIMIT $3`,
        [environment, system, most],
      )
      return rows
    },
    /** None of those that wait is judged for so long. */
    putOff: async (system: string, waitMs: number): Promise<void> => {
      await db.query(
        `UPDATE delivery SET due_at = greatest(due_at, clock_timestamp() + make_interval(secs => $3)) WHERE environment = $1 AND system = $2 AND state = 'new'`,
        [environment, system, waitMs / 1_000],
      )
    },
    /** This one alone is not judged for so long. @param problem what it waits for, a sentence without values */
    hold: async (id: number, problem: string, waitMs: number): Promise<void> => {
      await db.query(
        `UPDATE delivery SET problem = $2, due_at = clock_timestamp() + make_interval(secs => $3) WHERE id = $1 AND state = 'new'`,
        [id, problem, waitMs / 1_000],
      )
    },
    noteJudged: async (id: number, outcome: DeliveryOutcome): Promise<void> => {
      await db.query('UPDATE delivery SET state = $2, problem = $3, judged_at = clock_timestamp() WHERE id = $1', [
        id,
        outcome.kind,
        outcome.kind === 'strange' ? outcome.problem : null,
      ])
    },
    /** What was kept and not understood, newest first. */
    strange: async (system: string | null, most: number): Promise<StrangeDelivery[]> => {
      const { rows } = await db.query<StrangeDelivery>(
        `SELECT ${shown}, problem FROM delivery WHERE environment = $1 AND state = 'strange' AND ($2::text IS NULL OR system = $2) ORDER BY id DESC LIMIT $3`,
        [environment, system, most],
      )
      return rows
    },
    /** Of each system that has any that were not judged or not understood, or that are nobody's. */
    standing: async (): Promise<DeliveryCounts[]> => {
      const { rows } = await db.query<DeliveryCounts>(
        // One after the other: each has an index of its own, and those that came to rest have none and are many.
        `SELECT system, (count(*) FILTER (WHERE state = 'new'))::int AS unjudged, (count(*) FILTER (WHERE state = 'strange'))::int AS strange,
                (count(*) FILTER (WHERE state = 'unclaimed'))::int AS unclaimed,
                (array_agg(problem ORDER BY id DESC) FILTER (WHERE state = 'new' AND problem IS NOT NULL))[1] AS held
         FROM (SELECT id, system, state, problem FROM delivery WHERE environment = $1 AND state = 'new'
               UNION ALL SELECT id, system, state, problem FROM delivery WHERE environment = $1 AND state = 'strange'
               UNION ALL SELECT id, system, state, problem FROM delivery WHERE environment = $1 AND state = 'unclaimed' AND body IS NOT NULL) d
         GROUP BY system ORDER BY system`,
        [environment],
      )
      return rows
    },
    /** Null when there is none with the id. */
    find: async (id: number): Promise<KeptDelivery | null> => {
      const { rows } = await db.query<KeptDelivery>(
        `SELECT ${shown}, state, problem, body FROM delivery WHERE environment = $1 AND id = $2`,
        [environment, id],
      )
      return rows[0] ?? null
    },
    /** Those that were strange, nobody's or held are judged anew: the configuration, or the course, may be mended by now. @returns how many */
    judgeAgain: async (system: string): Promise<number> =>
      (
        await db.query(
          `UPDATE delivery SET ${judgedAnew} WHERE environment = $1 AND system = $2
             AND (state = 'strange' OR state = 'unclaimed' AND body IS NOT NULL OR state = 'new' AND problem IS NOT NULL)`,
          [environment, system],
        )
      ).rowCount,
    /**
     * Bodies and headers of deliveries that came to rest long ago are removed, those of `most` at a time. Their keys stay: who sends one again is known.
     * @returns how many
     */
    forgetBodies: async (kept: readonly { system: string; days: number }[], most = 1_000): Promise<number> =>
      (
        await db.query(
          `UPDATE delivery SET body = NULL, headers = '{}' WHERE id IN (
             SELECT old.id FROM unnest($2::text[], $3::int[]) k(system, days),
               LATERAL (SELECT d.id FROM delivery d WHERE d.environment = $1 AND d.system = k.system AND d.state IN ('judged', 'unclaimed') AND d.body IS NOT NULL
                        AND d.judged_at < statement_timestamp() - make_interval(days => k.days) ORDER BY d.judged_at LIMIT $4) old)`,
          [environment, kept.map(({ system }) => system), kept.map(({ days }) => days), most],
        )
      ).rowCount,
    /** A delivery by its key, and whether another one made it void; null when there is none. For what asks whether it is here. */
    named: async (system: string, key: string): Promise<{ body: Buffer | null; voided: boolean } | null> => {
      const { rows } = await db.query<{ body: Buffer | null; voided: boolean }>(
        `SELECT body, ${isVoided} AS voided FROM delivery d WHERE environment = $1 AND system = $2 AND key = decode($3, 'hex')`,
        [environment, system, key],
      )
      return rows[0] ?? null
    },
  }
}
