// Exports the ledger's figures as gauges. Every worker of a ledger exports the same figures, so a sum over several
// workers counts them more than once.

import { Gauge, type Registry } from 'prom-client'
import type { WholeMetrics } from '#src/app/whole-metrics.ts'
import { restingStates, type State, states } from '#src/domain/credential/state.ts'
import { archiveGauges } from '#src/extensions/certificates/archive-gauges.ts'
import { learningSystemGauges } from '#src/extensions/lms/learning-system-gauges.ts'
import { noticeGauges } from '#src/extensions/notices/notice-gauges.ts'
import { erasureGauges } from '#src/extensions/privacy/erasure-gauges.ts'
import type { LedgerMetrics } from '#src/ledger/metrics/ledger-metrics.ts'
import type { MakeGauge } from '#src/platform/make-gauge.ts'

const openStates: readonly State[] = states.filter((state) => !restingStates.includes(state))
const agedStates: readonly State[] = [...openStates, 'held']
const runStates = ['received', 'braked', 'adopting', 'open', 'settled', 'refused']
const revocationStates = ['wanted', 'sending', 'unconfirmed', 'accepted']

/**
 * Returns a function that shows the figures. If there are none, it removes the gauges, because outdated values would
 * mislead.
 * @param pipelines the configured pipelines; exported with 0 if the ledger has nothing for them
 */
export function openLedgerGauges(registry: Registry, pipelines: readonly string[]) {
  const clearGauges: (() => void)[] = []
  const gauge = (name: string, help: string, labelNames: string[] = []) => {
    const created = new Gauge({ name: `credsync_${name}`, help, labelNames, registers: [registry] })
    // `reset` would set a gauge without labels to 0 instead of removing it.
    clearGauges.push(labelNames.length > 0 ? () => created.reset() : () => created.remove())
    return created
  }
  const showRows = rowGauges(gauge, pipelines)
  const showWork = workGauges(gauge)
  const showLearning = learningSystemGauges(gauge)
  const showNotices = noticeGauges(gauge)
  const showArchives = archiveGauges(gauge)
  const showErasures = erasureGauges(gauge)
  const clear = () => {
    for (const clearGauge of clearGauges) clearGauge()
  }
  clear()
  return (figures: WholeMetrics | null): void => {
    clear()
    if (!figures) return
    showRows(figures)
    showWork(figures)
    showLearning(figures.learning)
    showNotices(figures.notices)
    showArchives(figures.archives)
    showErasures(figures.erasures)
  }
}

function rowGauges(gauge: MakeGauge, pipelines: readonly string[]): (figures: LedgerMetrics) => void {
  const rows = gauge('rows', 'Rows in the ledger, by state.', ['pipeline', 'state'])
  const due = gauge('rows_due', 'Pending rows that could be sent now.', ['pipeline'])
  const inState = gauge(
    'oldest_row_in_state_age_seconds',
    'Seconds that the oldest row in this state has been in it; 0 if there is none.',
    ['pipeline', 'state'],
  )
  const oldest = gauge(
    'oldest_open_row_age_seconds',
    'Seconds since the oldest row that is not final was read; 0 if there is none.',
    ['pipeline'],
  )
  const runs = gauge('runs', 'Runs by state; `open` runs are read but not settled.', ['pipeline', 'state'])
  return (figures) => {
    for (const pipeline of pipelines) {
      for (const state of states) rows.set({ pipeline, state }, 0)
      for (const state of agedStates) inState.set({ pipeline, state }, 0)
      for (const state of runStates) runs.set({ pipeline, state }, 0)
      due.set({ pipeline }, 0)
      oldest.set({ pipeline }, 0)
    }
    for (const { pipeline, state, ...found } of figures.rows) {
      rows.set({ pipeline, state }, found.rows)
      if (found.inStateS !== null) inState.set({ pipeline, state }, found.inStateS)
      if (state === 'pending') due.set({ pipeline }, found.due)
    }
    for (const pipeline of new Set(figures.rows.map((row) => row.pipeline))) {
      const ages = figures.rows.filter((row) => row.pipeline === pipeline && openStates.includes(row.state))
      oldest.set({ pipeline }, Math.max(0, ...ages.map((age) => age.oldestS ?? 0)))
    }
    for (const { pipeline, state, runs: count } of figures.runs) runs.set({ pipeline, state }, count)
  }
}

function workGauges(gauge: MakeGauge): (figures: LedgerMetrics) => void {
  const due = gauge('due_jobs', 'Due work in the ledger for each queue; compare with credsync_queue_jobs.', ['queue'])
  const sending = gauge('batches_sending', 'Batches that the workers are sending now.')
  const writeBacks = gauge('write_backs_waiting', 'Runs whose results have changes that have not been written yet.')
  const readAgo = gauge('report_read_age_seconds', 'Seconds since the credential report was last read completely.')
  const overdue = gauge(
    'report_overdue_seconds',
    'Seconds by which the next scan of the report is late; 0 while none is needed.',
  )
  const lag = gauge('report_lag_seconds', 'Seconds that the report took to show the latest call that it shows.')
  const unseen = gauge(
    'report_unseen_age_seconds',
    'Seconds since the answer to the oldest accepted call that the report does not show yet.',
  )
  const surplus = gauge(
    'surplus_items',
    'Report items beyond those that were requested; each may be a duplicate credential.',
  )
  const revocations = gauge('revocations_open', 'Revocations that the report has not confirmed.', ['state'])
  const watchedAgo = gauge('watch_ended_age_seconds', 'Seconds since the last check of issued credentials ended.')
  const lookedAgo = gauge(
    'watch_longest_age_seconds',
    'Seconds since the least recently checked issued credential was checked in the report.',
  )
  const missing = gauge('credentials_missing', 'Issued credentials that the report no longer shows.')
  const unusable = gauge('inbox_unusable', '1 if the inbox cannot be used.', ['pipeline'])
  const paused = gauge('courses_paused', 'Courses that are paused.')
  const stopped = gauge('sending_stopped', '1 while nothing is sent because an operator has to check the ledger first.')
  const workers = gauge('workers', 'Workers running on this ledger and environment.')
  return (figures) => {
    for (const [queue, count] of Object.entries(figures.due)) due.set({ queue }, count)
    sending.set(figures.sending)
    writeBacks.set(figures.writeBacks)
    const { report } = figures
    if (report.readAgoS !== null) readAgo.set(report.readAgoS)
    if (report.lagS !== null) lag.set(report.lagS)
    overdue.set(report.overdueS)
    unseen.set(report.unseenS)
    surplus.set(figures.surplusItems)
    for (const state of revocationStates) revocations.set({ state }, 0)
    for (const { state, revocations: count } of figures.revocations) revocations.set({ state }, count)
    if (figures.watch) {
      watchedAgo.set(figures.watch.endedAgoS)
      missing.set(figures.watch.missing)
      if (figures.watch.longestAgoS !== null) lookedAgo.set(figures.watch.longestAgoS)
    }
    for (const inbox of figures.inboxes) unusable.set({ pipeline: inbox.pipeline }, Number(inbox.unusable))
    paused.set(figures.pausedCourses)
    stopped.set(Number(figures.sendingStopped))
    workers.set(figures.workers)
  }
}
