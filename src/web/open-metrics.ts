// Counts what this process does: calls, waits at the gates, batches, log events. Names follow Prometheus's conventions.
// Labels contain only names from the code and the configuration, and no personal data.

import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Meter } from '#src/app/open-core.ts'
import { channelKinds } from '#src/extensions/notices/settings/notify-settings.ts'
import { callResults } from '#src/issuer/endpoint.ts'
import { type EventFields, type EventName, events } from '#src/platform/log/events.ts'
import type { Log } from '#src/platform/log/log.ts'

export type Metrics = ReturnType<typeof openMetrics>

const outcomes = ['accepted', 'refused', 'throttled', 'too_large', 'unauthorised', 'not_sent', 'unknown']

export function openMetrics(
  info: { version: string; environment: string; storage: string },
  pipelines: readonly string[],
) {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  new Gauge({
    name: 'credsync_worker_info',
    help: 'Version, environment and storage of this worker, as labels. Always 1.',
    labelNames: ['version', 'environment', 'storage'],
    registers: [registry],
  }).set({ ...info }, 1)
  return { registry, meter: openMeter(registry), countEvents: countedLog(registry, pipelines) }
}

function openMeter(registry: Registry): Meter {
  const calls = new Counter({
    name: 'credsync_calls_total',
    help: 'HTTP exchanges with the service, by endpoint and result. 429 responses are `throttled`.',
    labelNames: ['endpoint', 'result'],
    registers: [registry],
  })
  const durations = new Histogram({
    name: 'credsync_call_duration_seconds',
    help: 'How long HTTP exchanges with the service took, without the wait at the gate.',
    labelNames: ['endpoint'],
    buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120],
    registers: [registry],
  })
  const waits = new Histogram({
    name: 'credsync_gate_wait_seconds',
    help: 'How long calls waited at the gate of their endpoint before they were sent.',
    labelNames: ['gate'],
    buckets: [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300],
    registers: [registry],
  })
  // Counters start at 0, because Prometheus computes no rate for the first value of a counter that appears with 1.
  for (const endpoint of ['token', 'invite', 'report'])
    for (const result of callResults) calls.inc({ endpoint, result }, 0)
  return {
    called(endpoint, result, ms) {
      calls.inc({ endpoint, result })
      durations.observe({ endpoint }, ms / 1_000)
    },
    passed: (gate, ms) => waits.observe({ gate }, ms / 1_000),
  }
}

/**
 * The result of a try to send a message, by the event that is logged after it. A message that is accepted for only some
 * addresses has two results.
 */
const tryResults: Partial<Record<EventName, string>> = {
  'notice.delivered': 'delivered',
  'notice.undelivered': 'failed',
  'notice.abandoned': 'given_up',
}

/** Returns a function that wraps a log and counts its events, including those below the log's level. */
function countedLog(registry: Registry, pipelines: readonly string[]): (log: Log) => Log {
  const counter = (name: string, help: string, labelNames: string[]) =>
    new Counter({ name: `credsync_${name}`, help, labelNames, registers: [registry] })
  const logged = counter('events_total', 'Events of the log.', ['event', 'level'])
  const batches = counter('batches_total', 'Calls to issue credentials, by outcome.', ['pipeline', 'outcome'])
  const rows = counter('batch_rows_total', 'The rows in calls to issue credentials, by outcome.', [
    'pipeline',
    'outcome',
  ])
  const sentAgain = counter(
    'rows_sent_again_total',
    'Rows sent again after a call of that outcome, proven not applied.',
    ['after'],
  )
  const held = counter('rows_held_total', 'Rows that were held for a decision by an operator.', [])

  const messages = counter(
    'notice_tries_total',
    'Tries to send a message to a recipient of notices, by their result.',
    ['channel', 'result'],
  )

  const results = Object.values(tryResults)
  for (const channel of channelKinds) for (const result of results) messages.inc({ channel, result }, 0)
  for (const [event, [level]] of Object.entries(events)) logged.inc({ event, level }, 0)
  for (const pipeline of pipelines)
    for (const outcome of outcomes) for (const each of [batches, rows]) each.inc({ pipeline, outcome }, 0)
  for (const after of ['unknown', 'refused']) sentAgain.inc({ after }, 0)

  function count(
    event: EventName,
    { pipeline = '', outcome = '', size = 0, count = 1, channel = '' }: EventFields,
  ): void {
    logged.inc({ event, level: events[event][0] })
    if (event === 'attempt.sent') {
      batches.inc({ pipeline, outcome })
      rows.inc({ pipeline, outcome }, size)
    }
    if (event === 'issuance.again') sentAgain.inc({ after: outcome }, count)
    if (event === 'issuance.held') held.inc(count)
    const result = tryResults[event]
    if (result) messages.inc({ channel, result })
  }
  return (log) => ({
    event(name, fields = {}) {
      count(name, fields)
      log.event(name, fields)
    },
  })
}
