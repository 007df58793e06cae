// Figures of learning systems: what waits of what they sent, when each was asked, and what could not be told. What was judged and what was
// verified is not counted, for it grows for ever.

import type { Sql } from '#src/database/database.ts'

export interface LearningFigures {
  deliveries: { system: string; state: 'new' | 'strange'; deliveries: number }[]
  /** Completions that no run has yet. */
  completions: { pipeline: string; completions: number }[]
  /** Seconds since each was asked to the end; null where it never was. */
  systems: { system: string; askedAgoS: number | null }[]
  tells: { target: string; state: 'pending' | 'drifted' | 'failed'; tells: number }[]
  /** Seconds since the oldest that is to be told was wanted. */
  untold: { target: string; oldestS: number }[]
}

export async function figuresOfLearning(sql: Sql, environment: string): Promise<LearningFigures> {
  const all = async <Row extends object>(text: string) => (await sql.query<Row>(text, [environment])).rows
  return {
    deliveries: await all(
      `SELECT system, 'new' AS state, count(*) AS deliveries FROM delivery WHERE environment = $1 AND state = 'new' GROUP BY system
       UNION ALL SELECT system, 'strange', count(*) FROM delivery WHERE environment = $1 AND state = 'strange' GROUP BY system`,
    ),
    completions: await all(
      `SELECT pipeline, count(*) AS completions FROM completion WHERE environment = $1 AND state = 'ready' GROUP BY pipeline`,
    ),
    systems: await all(
      `SELECT system, extract(epoch FROM clock_timestamp() - polled_at)::float AS "askedAgoS" FROM learning_system WHERE environment = $1 AND watched`,
    ),
    tells: await all(
      `SELECT t.target, 'pending' AS state, count(*) AS tells FROM tell t ${here} AND t.state = 'pending' GROUP BY t.target
       UNION ALL SELECT t.target, t.state, count(*) FROM tell t ${here} AND t.state IN ('drifted', 'failed') GROUP BY t.target, t.state`,
    ),
    untold: await all(
      `SELECT t.target, extract(epoch FROM clock_timestamp() - min(t.wanted_at))::float AS "oldestS" FROM tell t ${here} AND t.state = 'pending' GROUP BY t.target`,
    ),
  }
}

const here = 'JOIN issuance i ON i.id = t.issuance_id WHERE i.environment = $1'
