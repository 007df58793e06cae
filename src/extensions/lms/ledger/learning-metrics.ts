// Reads the metrics of learning systems: unprocessed events, the last poll of each system, and failed deliveries.
// Processed events and verified deliveries are not counted, because their number grows forever.

import type { Sql } from '#src/platform/database/database.ts'

export interface LearningMetrics {
  /** Inbound events that are not processed (`new`) or were not understood (`strange`). */
  inboundEvents: { system: string; state: 'new' | 'strange'; events: number }[]
  /** Completions that are not in a run yet. */
  completions: { pipeline: string; completions: number }[]
  /** Seconds since the last complete poll of each system; null if there was none. */
  systems: { system: string; polledAgoS: number | null }[]
  /** Deliveries to targets that are not verified. */
  deliveries: { target: string; state: 'pending' | 'incomplete' | 'drifted' | 'failed'; deliveries: number }[]
  /** Seconds since the oldest pending delivery was requested. */
  oldestPending: { target: string; oldestS: number }[]
}

/** The learning systems and targets in the configuration. */
export interface ConfiguredLearning {
  systems: readonly string[]
  targets: readonly { pipeline: string; name: string }[]
}

export const configuredLearning = (app: {
  settings: { file: { systems: Readonly<Record<string, unknown>> } }
  learning: { targets: ConfiguredLearning['targets'] }
}): ConfiguredLearning => ({ systems: Object.keys(app.settings.file.systems), targets: app.learning.targets })

export async function readLearningMetrics(
  sql: Sql,
  environment: string,
  configured?: ConfiguredLearning,
): Promise<LearningMetrics> {
  const select = async <Row extends object>(text: string, ...more: unknown[]) =>
    (await sql.query<Row>(text, [environment, ...more])).rows
  const systems = configured?.systems ?? null
  const targets = configured
    ? [configured.targets.map(({ pipeline }) => pipeline), configured.targets.map(({ name }) => name)]
    : [null, null]
  return {
    inboundEvents: await select(
      `SELECT system, 'new' AS state, count(*) AS events FROM inbound_event WHERE environment = $1 AND state = 'new' AND ${isConfiguredSystem} GROUP BY system
       UNION ALL SELECT system, 'strange', count(*) FROM inbound_event WHERE environment = $1 AND state = 'strange' AND ${isConfiguredSystem} GROUP BY system`,
      systems,
    ),
    completions: await select(
      `SELECT pipeline, count(*) AS completions FROM completion WHERE environment = $1 AND state = 'ready' GROUP BY pipeline`,
    ),
    systems: await select(
      `SELECT system, extract(epoch FROM clock_timestamp() - polled_at)::float AS "polledAgoS" FROM learning_system WHERE environment = $1 AND watched`,
    ),
    deliveries: await select(
      `SELECT d.target, 'pending' AS state, count(*) AS deliveries FROM delivery d ${joinConfiguredTargets} AND d.state = 'pending' GROUP BY d.target
       UNION ALL SELECT d.target, d.state, count(*) FROM delivery d ${joinConfiguredTargets} AND d.state IN ('incomplete', 'drifted', 'failed') GROUP BY d.target, d.state`,
      ...targets,
    ),
    oldestPending: await select(
      `SELECT d.target, extract(epoch FROM clock_timestamp() - min(d.wanted_at))::float AS "oldestS" FROM delivery d ${joinConfiguredTargets} AND d.state = 'pending' GROUP BY d.target`,
      ...targets,
    ),
  }
}

const isConfiguredSystem = '($2::text[] IS NULL OR system = ANY($2::text[]))'
const joinConfiguredTargets = `JOIN issuance i ON i.id = d.issuance_id WHERE i.environment = $1
  AND ($2::text[] IS NULL OR EXISTS (SELECT FROM unnest($2::text[], $3::text[]) g(pipeline, target) WHERE g.pipeline = i.pipeline AND g.target = d.target))`
