// Everything that a ledger can be asked, asked at once; and the questions that leave a stamp.

import type { UnshownRow } from '#src/ledger/absence.ts'
import type { ResultRow } from '#src/ledger/write-backs.ts'
import { attemptRanks, courses, issuanceRanks, pipelines, runRanks } from './places.ts'
import type { Side } from './side.ts'

export async function lookAround(side: Side): Promise<unknown> {
  const { ledger } = side
  const fresh = []
  for (const after of [null, new Date(side.clock.now().getTime() - 300_000)])
    fresh.push(await ledger.baselineIsFresh(600_000, after))
  const limits = []
  for (const pipeline of pipelines) limits.push(await ledger.learnedBatchLimit(pipeline))
  const held = await ledger.heldRows()
  const watch = await ledger.readWatch()
  const runs = []
  for (const id of side.runs) runs.push(await runSeen(side, id))
  return {
    fresh,
    limits,
    runs,
    since: await ledger.baselineSince(),
    open: await ledger.countOpenAttempts(),
    prepared: await ledger.countPreparedAttempts(),
    unshown: (await ledger.unshownRows('2026-02-20')).map((row) => unshownSeen(side, row)),
    // The twin's clock ticks by fractions between two verbs.
    watch: { ...watch, youngestMs: watch.youngestMs === null ? null : Math.round(watch.youngestMs) },
    pauses: (await ledger.pauses())
      .map((pause) => ({ ...pause, until: pause.until.getTime() }))
      .sort((a, b) => courses.indexOf(a.courseUuid) - courses.indexOf(b.courseUuid)),
    unsent: await ledger.unsentByPipeline(),
    due: await ledger.pipelinesWithDueRows(),
    held: held.map((row) => ({
      ...row,
      id: issuanceRanks(side, [row.id]),
      run: runRanks(side, [row.run]),
      since: row.since.getTime(),
    })),
  }
}

function unshownSeen(side: Side, { id, attemptId, ...row }: UnshownRow) {
  const times = [row.endedAt, row.overAt, row.deadlineAt, row.lastLookAt].map((at) => at?.getTime() ?? null)
  const rest = { ...row, endedAt: null, overAt: null, deadlineAt: null, lastLookAt: null }
  return { ...rest, times, ranks: [issuanceRanks(side, [id]), attemptRanks(side, [attemptId])] }
}

/** The run itself is compared with the standing; its times are texts in the one answer and dates in the other. */
async function runSeen(side: Side, id: string) {
  const found = await side.ledger.findRun(id)
  const seen = await side.ledger.runWithStates(id)
  return {
    found: found && { ...found, id: null, environment: null, receivedAt: null, publishedAt: null, settledAt: null },
    states: seen?.states,
    surplus: seen?.surplus,
    settled: seen?.run.settledAt !== null,
    wanted: await side.ledger.wantedVersion(id),
  }
}

/** As the sweep asks for work. */
export async function takeWork(side: Side, forget: boolean): Promise<unknown> {
  const { ledger } = side
  if (forget) await ledger.forgetAsked()
  return {
    runs: runRanks(side, await ledger.takeRunsToRead()),
    attempts: attemptRanks(side, await ledger.takeAttemptsToSend()),
    poll: await ledger.takePoll(),
    writeBacks: runRanks(side, await ledger.takeWriteBacks()),
  }
}

export async function tell(side: Side, runId: string, verb: 'want' | 'told' | 'paths' | 'read'): Promise<unknown> {
  const { ledger } = side
  if (verb === 'want') return ledger.wantResults(runId)
  if (verb === 'paths') return ledger.noteRunPaths(runId, { results: '/outbox/results.csv' })
  if (verb === 'told') {
    const version = await ledger.wantedVersion(runId)
    if (version !== null) await ledger.noteTold(runId, version)
    return version
  }
  const lines: unknown[] = []
  await ledger.readResultRows(runId, ['accepted', 'skipped', 'invalid'], async (rows) => {
    for (const row of rows) lines.push(lineOf(side, row))
  })
  return lines
}

function lineOf(side: Side, row: ResultRow) {
  // Some sentences name a run, and each side has ids of its own.
  const violations = row.violations?.map((each) => ({
    ...each,
    sentence: each.sentence.replace(/ \(run [0-9a-f]{8}\)/, ' (run)'),
  }))
  const issuanceId = row.issuanceId === null ? null : issuanceRanks(side, [row.issuanceId])
  return { ...row, violations: violations ?? null, issuanceId }
}
