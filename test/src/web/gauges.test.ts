// Each figure is exported under its own name. No two of the numbers here are equal, so a mix-up fails the test.

import { Registry } from 'prom-client'
import { describe, expect, test } from 'vitest'
import type { WholeMetrics } from '#src/app/whole-metrics.ts'
import { queueNames } from '#src/platform/queue/queues.ts'
import { openLedgerGauges } from '#src/web/ledger-gauges.ts'
import { openWorkerGauges } from '#src/web/worker-gauges.ts'
import { parseMetrics } from '#test/support/read-metrics.ts'

const figures: WholeMetrics = {
  rows: [
    { pipeline: 'spring', state: 'pending', rows: 11, due: 12, inStateS: 13, oldestS: 14 },
    { pipeline: 'spring', state: 'requested', rows: 15, due: 0, inStateS: 16, oldestS: 17 },
    { pipeline: 'spring', state: 'held', rows: 18, due: 0, inStateS: 19, oldestS: 2_000 },
    { pipeline: 'gone', state: 'issued', rows: 20, due: 0, inStateS: null, oldestS: null },
  ],
  runs: [{ pipeline: 'spring', state: 'braked', runs: 21 }],
  due: { intake: 22, issue: 23, reconcile: 24, 'write-back': 25, archive: 26 },
  sending: 27,
  writeBacks: 28,
  report: { readAgoS: 29, overdueS: 30, lagS: 31, unseenS: 32 },
  revocations: [{ state: 'sending', revocations: 33 }],
  archives: [{ pipeline: 'spring', waiting: 34, kept: 35, stuck: true, due: true }],
  inboxes: [{ pipeline: 'spring', unusable: true }],
  watch: { endedAgoS: 61, longestAgoS: 62, missing: 63 },
  pausedCourses: 36,
  sendingStopped: true,
  surplusItems: 37,
  erasures: { open: 39, oldestS: 40 },
  workers: 38,
  learning: {
    inboundEvents: [{ system: 'hooks', state: 'strange', events: 51 }],
    completions: [{ pipeline: 'spring', completions: 52 }],
    systems: [
      { system: 'campus', polledAgoS: 53 },
      { system: 'never', polledAgoS: null },
    ],
    deliveries: [{ target: 'moodle-profile campus', state: 'drifted', deliveries: 54 }],
    oldestPending: [{ target: 'lti campus 1', oldestS: 55 }],
  },
  notices: {
    open: [{ kind: 'missing', notices: 56 }],
    messages: [{ recipient: 'ops', delivered: 57, waiting: 58, tries: 59, failingS: 60, givenUp: 161 }],
  },
}

const expectedGauges: [string, Record<string, string>, number][] = [
  ['notices_open', { kind: 'missing' }, 56],
  ['notices_open', { kind: 'stuck' }, 0],
  ['notice_messages_delivered', { recipient: 'ops' }, 57],
  ['notice_messages_waiting', { recipient: 'ops' }, 58],
  ['notice_delivery_failures', { recipient: 'ops' }, 59],
  ['notice_messages_given_up', { recipient: 'ops' }, 161],
  ['notice_failing_age_seconds', { recipient: 'ops' }, 60],
  ['rows', { pipeline: 'spring', state: 'pending' }, 11],
  ['rows', { pipeline: 'spring', state: 'issued' }, 0],
  ['rows', { pipeline: 'gone', state: 'issued' }, 20],
  ['rows_due', { pipeline: 'spring' }, 12],
  ['oldest_row_in_state_age_seconds', { pipeline: 'spring', state: 'pending' }, 13],
  ['oldest_row_in_state_age_seconds', { pipeline: 'spring', state: 'held' }, 19],
  ['oldest_row_in_state_age_seconds', { pipeline: 'spring', state: 'sending' }, 0],
  ['oldest_open_row_age_seconds', { pipeline: 'spring' }, 17],
  ['runs', { pipeline: 'spring', state: 'braked' }, 21],
  ['runs', { pipeline: 'spring', state: 'open' }, 0],
  ['due_jobs', { queue: 'intake' }, 22],
  ['due_jobs', { queue: 'issue' }, 23],
  ['due_jobs', { queue: 'reconcile' }, 24],
  ['due_jobs', { queue: 'write-back' }, 25],
  ['due_jobs', { queue: 'archive' }, 26],
  ['batches_sending', {}, 27],
  ['write_backs_waiting', {}, 28],
  ['report_read_age_seconds', {}, 29],
  ['report_overdue_seconds', {}, 30],
  ['report_lag_seconds', {}, 31],
  ['report_unseen_age_seconds', {}, 32],
  ['revocations_open', { state: 'sending' }, 33],
  ['revocations_open', { state: 'wanted' }, 0],
  ['archive_waiting', { pipeline: 'spring' }, 34],
  ['archive_kept', { pipeline: 'spring' }, 35],
  ['archive_stuck', { pipeline: 'spring' }, 1],
  ['inbox_unusable', { pipeline: 'spring' }, 1],
  ['watch_ended_age_seconds', {}, 61],
  ['watch_longest_age_seconds', {}, 62],
  ['credentials_missing', {}, 63],
  ['courses_paused', {}, 36],
  ['sending_stopped', {}, 1],
  ['surplus_items', {}, 37],
  ['erasures_open', {}, 39],
  ['oldest_open_erasure_age_seconds', {}, 40],
  ['workers', {}, 38],
  ['inbound_events', { system: 'hooks', state: 'strange' }, 51],
  ['completions_waiting', { pipeline: 'spring' }, 52],
  ['system_asked_age_seconds', { system: 'campus' }, 53],
  ['deliveries', { target: 'moodle-profile campus', state: 'drifted' }, 54],
  ['oldest_delivery_age_seconds', { target: 'lti campus 1' }, 55],
]

describe("the ledger's gauges", () => {
  test('show each figure under its name, and 0 for a configured pipeline', async () => {
    const registry = new Registry()
    openLedgerGauges(registry, ['spring'])(figures)
    const page = parseMetrics(await registry.metrics())
    for (const [name, labels, value] of expectedGauges)
      expect([name, labels, page.value(`credsync_${name}`, labels)]).toEqual([name, labels, value])
    const exported = new Set([...page.text.matchAll(/^# TYPE credsync_(\w+)/gm)].map((match) => match[1]))
    expect(new Set(expectedGauges.map(([name]) => name))).toEqual(exported)
  })

  test('are missing for exactly the figures that are unknown', async () => {
    const registry = new Registry()
    const show = openLedgerGauges(registry, ['spring'])
    show(figures)
    show(null)
    expect((await registry.metrics()).split('\n').filter((line) => line !== '' && !line.startsWith('#'))).toEqual([])
    show({ ...figures, report: { readAgoS: null, overdueS: 0, lagS: null, unseenS: 0 } })
    const page = parseMetrics(await registry.metrics())
    expect(page.value('credsync_report_read_age_seconds')).toBeUndefined()
    expect(page.value('credsync_report_lag_seconds')).toBeUndefined()
    expect(page.value('credsync_report_overdue_seconds')).toBe(0)
    expect(page.value('credsync_system_asked_age_seconds', { system: 'never' })).toBeUndefined()
  })
})

describe("a worker's gauges", () => {
  test('show its gates, loops and queues, and the clock of the service if it is known', async () => {
    const registry = new Registry()
    let offset: number | null = null
    const gates = () => ({ report: { waiting: 41, running: 42, sent: 43, paused: true, lastSecond: 44 } })
    const showWorker = openWorkerGauges(registry, {
      gates: { report: gates },
      progress: { loops: () => [{ name: 'sweep', idleMs: 45_000, limitMs: 1 }] },
      issuer: { clockOffsetMs: () => offset },
      settings: { file: { service: { limits: { general: 46, auth: 47 } } } },
    } as unknown as Parameters<typeof openWorkerGauges>[1])
    const depth = { waiting: 48, active: 49, delayed: 50, failed: 51 }
    const depths = Object.fromEntries(queueNames.map((name) => [name, depth])) as Parameters<typeof showWorker>[0]
    const show = async (queueDepths: typeof depths) => {
      showWorker(queueDepths)
      return parseMetrics(await registry.metrics())
    }
    const page = await show(depths)
    const gate = { gate: 'report' }
    expect(page.value('credsync_gate_waiting', gate)).toBe(41)
    expect(page.value('credsync_gate_running', gate)).toBe(42)
    expect(page.value('credsync_gate_sent_total', gate)).toBe(43)
    expect(page.value('credsync_gate_paused', gate)).toBe(1)
    expect(page.value('credsync_gate_limit_per_second', gate)).toBe(46)
    expect(page.value('credsync_loop_age_seconds', { loop: 'sweep' })).toBe(45)
    for (const [state, value] of Object.entries(depth))
      expect([state, page.value('credsync_queue_jobs', { queue: 'issue', state })]).toEqual([state, value])
    expect(page.value('credsync_service_clock_offset_seconds')).toBeUndefined()
    offset = -1_500
    const later = await show(null)
    expect(later.value('credsync_service_clock_offset_seconds')).toBe(-1.5)
    expect(later.value('credsync_queue_jobs')).toBeUndefined()
    // A second scrape does not add the same total again.
    expect(later.value('credsync_gate_sent_total', gate)).toBe(43)
  })
})
