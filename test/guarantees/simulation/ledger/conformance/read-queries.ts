// Runs every query of a ledger, including the queries that write a timestamp.

import type { UnshownRow } from '#src/ledger/report/absence.ts'
import type { ResultRow } from '#src/ledger/runs/write-backs.ts'
import { attemptRanks, courses, issuanceRanks, pipelines, runRanks } from './rank-lookup.ts'
import type { Side } from './side.ts'

export async function readQueries(side: Side): Promise<unknown> {
  const { ledger } = side
  const fresh = []
  for (const after of [null, new Date(side.clock.now().getTime() - 300_000)])
    fresh.push(await ledger.scans.baselineIsFresh(600_000, after))
  const limits = []
  for (const pipeline of pipelines) limits.push(await ledger.courses.learnedBatchLimit(pipeline))
  const held = await ledger.decisions.heldRows()
  const watch = await ledger.poller.read()
  const runs = []
  for (const id of side.runs) runs.push(await readRun(side, id))
  return {
    fresh,
    limits,
    runs,
    since: await ledger.scans.baselineSince(),
    open: await ledger.attempts.countOpen(),
    prepared: await ledger.attempts.countPrepared(),
    unshown: (await ledger.absence.unshownRows('2026-02-20')).map((row) => comparableRow(side, row)),
    // The twin's clock advances by fractions between two verbs.
    watch: { ...watch, youngestMs: watch.youngestMs === null ? null : Math.round(watch.youngestMs) },
    pauses: (await ledger.courses.pauses())
      .map((pause) => ({ ...pause, until: pause.until.getTime() }))
      .sort((a, b) => courses.indexOf(a.courseUuid) - courses.indexOf(b.courseUuid)),
    unsent: await ledger.work.unsentByPipeline(),
    due: await ledger.work.pipelinesWithDueRows(),
    held: held.map((row) => ({
      ...row,
      id: issuanceRanks(side, [row.id]),
      run: runRanks(side, [row.run]),
      since: row.since.getTime(),
    })),
  }
}

function comparableRow(side: Side, { id, attemptId, ...row }: UnshownRow) {
  const times = [row.endedAt, row.overAt, row.deadlineAt, row.lastLookAt].map((at) => at?.getTime() ?? null)
  const rest = { ...row, endedAt: null, overAt: null, deadlineAt: null, lastLookAt: null }
  return { ...rest, times, ranks: [issuanceRanks(side, [id]), attemptRanks(side, [attemptId])] }
}

/** The run itself is compared in the full state; its times are strings in one result and dates in the other. */
async function readRun(side: Side, id: string) {
  const found = await side.ledger.runs.find(id)
  const seen = await side.ledger.runs.withStates(id)
  return {
    found: found && { ...found, id: null, environment: null, receivedAt: null, publishedAt: null, settledAt: null },
    states: seen?.states,
    surplus: seen?.surplus,
    settled: seen?.run.settledAt !== null,
    wanted: await side.ledger.writeBacks.wantedVersion(id),
  }
}

/** Queries for due work as the sweep does. */
export async function takeWork(side: Side, forget: boolean): Promise<unknown> {
  const { ledger } = side
  if (forget) await ledger.work.forgetEnqueued()
  return {
    runs: runRanks(side, await ledger.work.takeRunsToRead()),
    attempts: attemptRanks(side, await ledger.work.takeAttemptsToSend()),
    poll: await ledger.work.takePoll(),
    writeBacks: runRanks(side, await ledger.work.takeWriteBacks()),
  }
}

export async function useWriteBack(
  side: Side,
  runId: string,
  verb: 'request' | 'reported' | 'paths' | 'read',
): Promise<unknown> {
  const { ledger } = side
  if (verb === 'request') return ledger.writeBacks.want(runId)
  if (verb === 'paths') return ledger.runs.notePaths(runId, { results: '/outbox/results.csv' })
  if (verb === 'reported') {
    const version = await ledger.writeBacks.wantedVersion(runId)
    if (version !== null) await ledger.writeBacks.noteReported(runId, version)
    return version
  }
  const lines: unknown[] = []
  await ledger.writeBacks.readRows(runId, ['accepted', 'skipped', 'invalid'], async (rows) => {
    for (const row of rows) lines.push(lineOf(side, row))
  })
  return lines
}

function lineOf(side: Side, row: ResultRow) {
  // Some messages contain the id of a run, and each side has different ids.
  const violations = row.violations?.map((violation) => ({
    ...violation,
    sentence: violation.sentence.replace(/ \(run [0-9a-f]{8}\)/, ' (run)'),
  }))
  const issuanceId = row.issuanceId === null ? null : issuanceRanks(side, [row.issuanceId])
  return { ...row, violations: violations ?? null, issuanceId }
}
