// Figures of what this process does, counted as it does it: calls, waits at the gates, batches, events of the log. Names follow Prometheus's
// conventions; labels are names out of the code and the configuration, and nothing else.

import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Meter } from '#src/app.ts'
import { callResults } from '#src/issuer/endpoint.ts'
import { type EventFields, type EventName, events } from '#src/log/events.ts'
import type { Log } from '#src/log/log.ts'

export interface Metrics {
  registry: Registry
  meter: Meter
  /** The same log, counted. What the log's level keeps back counts too. */
  counted(log: Log): Log
}

export interface WorkerInfo {
  version: string
  environment: string
  storage: string
}

const outcomes = ['accepted', 'refused', 'throttled', 'too_large', 'not_sent', 'unknown']

export function openMetrics(info: WorkerInfo, pipelines: readonly string[]): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  new Gauge({
    name: 'credsync_worker_info',
    help: 'What this worker is. Always 1.',
    labelNames: ['version', 'environment', 'storage'],
    registers: [registry],
  }).set({ ...info }, 1)
  return { registry, meter: openMeter(registry), counted: countedLog(registry, pipelines) }
}

function openMeter(registry: Registry): Meter {
  const calls = new Counter({
    name: 'credsync_calls_total',
    help: 'HTTP exchanges with the service, by endpoint and by what became of them. 429 answers are `throttled`.',
    labelNames: ['endpoint', 'result'],
    registers: [registry],
  })
  const durations = new Histogram({
    name: 'credsync_call_duration_seconds',
    help: 'How long those exchanges took, without the wait at the gate.',
    labelNames: ['endpoint'],
    buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120],
    registers: [registry],
  })
  const waits = new Histogram({
    name: 'credsync_gate_wait_seconds',
    help: 'How long calls waited at the gate of their endpoint before they went.',
    labelNames: ['gate'],
    buckets: [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300],
    registers: [registry],
  })
  // From 0 on: a counter that begins with 1 has no rate.
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

function countedLog(registry: Registry, pipelines: readonly string[]): (log: Log) => Log {
  const counter = (name: string, help: string, labelNames: string[]) =>
    new Counter({ name: `credsync_${name}`, help, labelNames, registers: [registry] })
  const seen = counter('events_total', 'Events of the log.', ['event', 'level'])
  const batches = counter('batches_total', 'Calls that were to issue, by what their answer means.', [
    'pipeline',
    'outcome',
  ])
  const rows = counter('batch_rows_total', 'The rows in those calls.', ['pipeline', 'outcome'])
  const again = counter(
    'rows_sent_again_total',
    'Rows that go out again after a call of that outcome, proven not applied.',
    ['after'],
  )
  const held = counter('rows_held_total', 'Rows that came to need a person.', [])

  for (const [event, [level]] of Object.entries(events)) seen.inc({ event, level }, 0)
  for (const pipeline of pipelines)
    for (const outcome of outcomes) for (const each of [batches, rows]) each.inc({ pipeline, outcome }, 0)
  for (const after of ['unknown', 'refused']) again.inc({ after }, 0)

  function count(event: EventName, { pipeline = '', outcome = '', size = 0, count = 1 }: EventFields): void {
    seen.inc({ event, level: events[event][0] })
    if (event === 'attempt.sent') {
      batches.inc({ pipeline, outcome })
      rows.inc({ pipeline, outcome }, size)
    }
    if (event === 'issuance.again') again.inc({ after: outcome }, count)
    if (event === 'issuance.held') held.inc(count)
  }
  return (log) => ({
    event(name, fields = {}) {
      count(name, fields)
      log.event(name, fields)
    },
  })
}
