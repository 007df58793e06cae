// The ledger's figures as gauges. Every worker of a ledger shows the same: whoever adds them up over several workers counts twice.

import { Gauge, type Registry } from 'prom-client'
import { restingStates, type State, states } from '#src/issuance/state.ts'
import type { LedgerFigures } from '#src/ledger/figures.ts'
import { learningGauges } from './learning-gauges.ts'

export interface LedgerGauges {
  /** Null where nobody knows: then none of them is shown, rather than what was true once. */
  show(figures: LedgerFigures | null): void
}

const open: readonly State[] = states.filter((state) => !restingStates.includes(state))
const aged: readonly State[] = [...open, 'held']
const runStates = ['received', 'braked', 'adopting', 'open', 'settled', 'refused']
const revocationStates = ['wanted', 'sending', 'unconfirmed', 'accepted']

/** @param pipelines those of the configuration: they are shown with 0 where the ledger has nothing of them */
export function openLedgerGauges(registry: Registry, pipelines: readonly string[]): LedgerGauges {
  const takeAway: (() => void)[] = []
  const gauge = (name: string, help: string, labelNames: string[] = []) => {
    const made = new Gauge({ name: `credsync_${name}`, help, labelNames, registers: [registry] })
    // One without labels would be 0 again by a reset.
    takeAway.push(labelNames.length > 0 ? () => made.reset() : () => made.remove())
    return made
  }
  const showRows = rowGauges(gauge, pipelines)
  const showWork = workGauges(gauge)
  const showLearning = learningGauges(gauge)
  const clear = () => {
    for (const take of takeAway) take()
  }
  clear()
  return {
    show(figures) {
      clear()
      if (!figures) return
      showRows(figures)
      showWork(figures)
      showLearning(figures.learning)
    },
  }
}

export type MakeGauge = (name: string, help: string, labelNames?: string[]) => Gauge

function rowGauges(gauge: MakeGauge, pipelines: readonly string[]): (figures: LedgerFigures) => void {
  const rows = gauge('rows', 'Rows of the ledger by state.', ['pipeline', 'state'])
  const due = gauge('rows_due', 'Pending rows that could go now.', ['pipeline'])
  const inState = gauge(
    'oldest_row_in_state_age_seconds',
    'How long the longest in its state has been in it; 0 for none.',
    ['pipeline', 'state'],
  )
  const oldest = gauge(
    'oldest_open_row_age_seconds',
    'How long ago the oldest row that is not final was read; 0 for none.',
    ['pipeline'],
  )
  const runs = gauge('runs', 'Runs by state; `open` are read and not settled.', ['pipeline', 'state'])
  return (figures) => {
    for (const pipeline of pipelines) {
      for (const state of states) rows.set({ pipeline, state }, 0)
      for (const state of aged) inState.set({ pipeline, state }, 0)
      for (const state of runStates) runs.set({ pipeline, state }, 0)
      due.set({ pipeline }, 0)
      oldest.set({ pipeline }, 0)
    }
    for (const { pipeline, state, ...found } of figures.rows) {
      rows.set({ pipeline, state }, found.rows)
      if (found.inStateS !== null) inState.set({ pipeline, state }, found.inStateS)
      if (state === 'pending') due.set({ pipeline }, found.due)
    }
    for (const pipeline of new Set(figures.rows.map((each) => each.pipeline))) {
      const ages = figures.rows.filter((each) => each.pipeline === pipeline && open.includes(each.state))
      oldest.set({ pipeline }, Math.max(0, ...ages.map((each) => each.oldestS ?? 0)))
    }
    for (const { pipeline, state, runs: count } of figures.runs) runs.set({ pipeline, state }, count)
  }
}

function workGauges(gauge: MakeGauge): (figures: LedgerFigures) => void {
  const due = gauge('due_jobs', 'What the ledger has for each queue now; compare with credsync_queue_jobs.', ['queue'])
  const sending = gauge('batches_sending', 'Batches under way, of all workers.')
  const writeBacks = gauge('write_backs_waiting', 'Runs whose results have news that was not written yet.')
  const readAgo = gauge('report_read_age_seconds', 'How long ago the credential report was read to its end.')
  const overdue = gauge(
    'report_overdue_seconds',
    'How late the next reading of the report is; 0 while nothing is looked for.',
  )
  const lag = gauge('report_lag_seconds', 'How long the report took to show the call that it showed last.')
  const unseen = gauge(
    'report_unseen_age_seconds',
    'How long ago the oldest accepted call that it does not show was answered.',
  )
  const surplus = gauge(
    'surplus_items',
    'Items of the report beyond the one that was asked for. Each may be a credential too many.',
  )
  const revocations = gauge('revocations_open', 'Revocations that the report has not confirmed.', ['state'])
  const waiting = gauge('archive_waiting', 'Certificates that are to be fetched.', ['pipeline'])
  const kept = gauge('archive_kept', 'Certificates that were fetched.', ['pipeline'])
  const stuck = gauge('archive_stuck', '1 where nothing can be fetched into an archive.', ['pipeline'])
  const unusable = gauge('inbox_unusable', '1 where an inbox cannot be used.', ['pipeline'])
  const paused = gauge('courses_paused', 'Courses that wait.')
  const workers = gauge('workers', 'Workers that run on this ledger and environment.')
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
    for (const archive of figures.archives) {
      const labels = { pipeline: archive.pipeline }
      waiting.set(labels, archive.waiting)
      kept.set(labels, archive.kept)
      stuck.set(labels, Number(archive.stuck))
    }
    for (const inbox of figures.inboxes) unusable.set({ pipeline: inbox.pipeline }, Number(inbox.unusable))
    paused.set(figures.pausedCourses)
    workers.set(figures.workers)
  }
}
