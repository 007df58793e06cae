// Follows a run in the ledger until it reaches the state that the caller wants, whichever process does the work.

import type { App } from '#src/app/app.ts'
import { countIn, restingStates, type StateCounts, totalOf } from '#src/domain/credential/state.ts'
import { waitingLine, waitingReasons } from '#src/issuing/descriptions/waiting-reasons.ts'
import type { CoursePause } from '#src/ledger/attempts/courses.ts'
import type { Run } from '#src/ledger/runs/runs.ts'
import type { RunningWorker } from './job-actions.ts'
import type { ProgressDisplay } from './progress-display.ts'

export type Ending =
  | 'reached'
  | 'refused'
  | 'braked'
  | 'course waits'
  | 'stopped'
  | 'timeout'
  | 'interrupted'
  | 'lost'
  | 'service away'

export interface FollowedRun {
  ending: Ending
  run: Run
  states: StateCounts
  surplus: number
  /** The reason for 'service away'. */
  fault: unknown
}

export interface FollowOptions {
  runId: string
  /** Waits until every row is final or held; otherwise until every row has been sent. */
  untilFinal: boolean
  timeoutMs: number | null
  signal: AbortSignal
  progress: ProgressDisplay
  /** Set if this process does the work itself. */
  own: Pick<RunningWorker, 'lost'> | null
  /** Called regularly while another process does the work, so that this process takes over when the other has ended. */
  takeOver(): Promise<Pick<RunningWorker, 'lost'> | null>
}

const pollEveryMs = 250
/** The other worker's lock is free once that worker has stopped; trying costs one query. */
const takeOverEveryMs = 3_000
/** How often to query what the run waits for. */
const waitsEveryMs = 1_000
/** A course that is paused after errors is waited for even without `--wait`, if the pause is shorter than this. */
const shortPauseMs = 60_000
/** Counting a large run takes time: sleeping 9 times as long as a query limits polling to a tenth of the time. */
const sleepPerQuery = 9
/** After this long without any change, a request checks that the service is reachable. */
const quietMs = 15_000

export async function followRun(app: App, options: FollowOptions): Promise<FollowedRun> {
  const { clock, ledger } = app
  const startedMs = clock.monotonicMs()
  const checkService = openServiceCheck(app)
  const readWaits = openWaitsCache(app)
  let lost = null as { error: Error | undefined } | null
  let ownWorker = options.own
  let queriedAtMs = startedMs
  const watchOwnWorker = () =>
    void ownWorker?.lost.then((error) => {
      lost = { error }
    })
  watchOwnWorker()
  for (;;) {
    if (!ownWorker && clock.monotonicMs() - queriedAtMs >= takeOverEveryMs) {
      queriedAtMs = clock.monotonicMs()
      ownWorker = await options.takeOver()
      watchOwnWorker()
    }
    const queryStartedMs = clock.monotonicMs()
    const now = await ledger.runs.withStates(options.runId)
    if (!now) throw new Error(`The ledger has no run ${options.runId}.`)
    const end = (ending: Ending, fault: unknown = null): FollowedRun => ({ ending, fault, ...now })
    // Returned before any progress is shown, because there is none until an operator decides.
    if (now.run.state === 'braked') return end('braked')
    const published = now.run.state === 'published'
    const reached = published && isReached(now.states, options.untilFinal)
    const waits = reached ? [] : await readWaits(now)
    const tookMs = clock.monotonicMs() - queryStartedMs
    options.progress.show({
      phase: published ? 'working' : 'reading',
      readRows: now.run.readRows,
      states: now.states,
      waits,
    })
    if (now.run.state === 'refused') return end('refused')
    if (reached) return end('reached')
    if (published && (await isStopped(app, now.states))) return end('stopped')
    if (!options.untilFinal && published && (await courseWaits(app, now))) return end('course waits')
    if (options.signal.aborted) return end('interrupted')
    if (lost?.error) throw lost.error
    if (lost) return end('lost')
    if (options.timeoutMs !== null && clock.monotonicMs() - startedMs >= options.timeoutMs) return end('timeout')
    const fault = ownWorker ? await checkService(now.states) : null
    if (fault) return end('service away', fault)
    await clock.sleep(Math.max(pollEveryMs, tookMs * sleepPerQuery), options.signal).catch(() => {})
  }
}

function isReached(states: StateCounts, untilFinal: boolean): boolean {
  return untilFinal ? countIn(states, restingStates) === totalOf(states) : states.pending + states.sending === 0
}

/** Returns true if unsent rows are left and sending is stopped until a person releases it. */
async function isStopped({ ledger }: App, { pending, sending }: StateCounts): Promise<boolean> {
  return pending > 0 && sending === 0 && (await ledger.sendingStops.stops()).length > 0
}

/**
 * Returns true if everything that can be sent has been sent and the rest waits for a course that cannot issue, which
 * may take days.
 */
async function courseWaits(
  { ledger, clock }: App,
  { run, states }: { run: Run; states: StateCounts },
): Promise<boolean> {
  if (states.sending > 0) return false
  const isShort = ({ afterTrouble, until }: CoursePause) =>
    afterTrouble && until.getTime() - clock.now().getTime() < shortPauseMs
  return (await ledger.courses.pauses()).some((pause) => pause.courseUuid === run.courseUuid && !isShort(pause))
}

/** Returns a function that returns what the run waits for, from a cache that is at most a second old. */
function openWaitsCache({ clock, ledger }: App) {
  let queriedAtMs = Number.NEGATIVE_INFINITY
  let lines: string[] = []
  return async (now: { run: Run; states: StateCounts }): Promise<string[]> => {
    if (clock.monotonicMs() - queriedAtMs < waitsEveryMs) return lines
    queriedAtMs = clock.monotonicMs()
    const waiting = waitingReasons(await ledger.waiting.facts(now))
    lines = waiting.map((entry) => waitingLine(entry, clock.now()))
    return lines
  }
}

/**
 * Returns a function that calls the service if rows are still to be sent and no count has changed for a while. It
 * returns the error if the service does not answer or rejects our keys.
 */
function openServiceCheck({ clock, issuer }: App) {
  let lastStates = ''
  let unchangedSinceMs = clock.monotonicMs()
  return async (states: StateCounts): Promise<unknown> => {
    const now = JSON.stringify(states)
    if (now !== lastStates || (states.pending === 0 && totalOf(states) > 0)) {
      lastStates = now
      unchangedSinceMs = clock.monotonicMs()
      return null
    }
    if (clock.monotonicMs() - unchangedSinceMs < quietMs) return null
    unchangedSinceMs = clock.monotonicMs()
    return issuer.checkToken().then(
      () => null,
      (fault: unknown) => fault,
    )
  }
}
