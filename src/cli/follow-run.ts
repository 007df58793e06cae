// Follows a run in the ledger until it is where its caller wants it, whoever does the work.

import type { App } from '#src/app.ts'
import { countIn, restingStates, type StateCounts, totalOf } from '#src/issuance/state.ts'
import type { Run } from '#src/ledger/runs.ts'
import type { Progress, ProgressPicture } from './progress.ts'

export type Ending =
  | 'reached'
  | 'refused'
  | 'braked'
  | 'course waits'
  | 'timeout'
  | 'interrupted'
  | 'lost'
  | 'service away'

export interface Followed {
  ending: Ending
  run: Run
  states: StateCounts
  surplus: number
  /** With 'service away': why. */
  fault: unknown
}

export interface FollowOptions {
  runId: string
  /** Until every row is final or held; otherwise until every row has been sent. */
  untilFinal: boolean
  timeoutMs: number | null
  signal: AbortSignal
  progress: Progress
  /** Set when this process does the work itself. */
  own: { lost: Promise<void> } | null
  /** Tried now and then while another process does the work: it may have ended, and then this one has to. */
  takeOver(): Promise<{ lost: Promise<void> } | null>
}

const lookEveryMs = 250
/** The other worker's lock is free when it has ended; asking costs one query. */
const takeOverEveryMs = 3_000
/** Counting a large run takes a while; looking takes a tenth of the time at most. */
const restPerLook = 9
/** Without any change for so long, the service is asked whether it is there at all. */
const quietMs = 15_000

export async function followRun(app: App, options: FollowOptions): Promise<Followed> {
  const { clock, ledger } = app
  const started = clock.monotonicMs()
  const quiet = openQuiet(app)
  let lost = false
  let own = options.own
  let askedAt = started
  const watch = () =>
    void own?.lost.then(() => {
      lost = true
    })
  watch()
  for (;;) {
    if (!own && clock.monotonicMs() - askedAt >= takeOverEveryMs) {
      askedAt = clock.monotonicMs()
      own = await options.takeOver()
      watch()
    }
    const began = clock.monotonicMs()
    const now = await ledger.runWithStates(options.runId)
    const tookMs = clock.monotonicMs() - began
    if (!now) throw new Error(`The ledger has no run ${options.runId}.`)
    const end = (ending: Ending, fault: unknown = null): Followed => ({ ending, fault, ...now })
    // Before any progress is shown: there is none until somebody decides.
    if (now.run.state === 'braked') return end('braked')
    const published = now.run.state === 'published'
    const rate = own ? rateOf(app) : null
    options.progress.show({
      phase: published ? 'working' : 'reading',
      readRows: now.run.readRows,
      states: now.states,
      rate,
    })
    if (now.run.state === 'refused') return end('refused')
    if (published && isReached(now.states, options.untilFinal)) return end('reached')
    if (!options.untilFinal && published && (await courseWaits(app, now))) return end('course waits')
    if (options.signal.aborted) return end('interrupted')
    if (lost) return end('lost')
    if (options.timeoutMs !== null && clock.monotonicMs() - started >= options.timeoutMs) return end('timeout')
    const fault = own ? await quiet(now.states) : null
    if (fault) return end('service away', fault)
    await clock.sleep(Math.max(lookEveryMs, tookMs * restPerLook), options.signal).catch(() => {})
  }
}

function isReached(states: StateCounts, untilFinal: boolean): boolean {
  return untilFinal ? countIn(states, restingStates) === totalOf(states) : states.pending + states.sending === 0
}

/** All that can be sent has been, and the rest stands before a course that cannot issue: that may take days. */
async function courseWaits({ ledger }: App, { run, states }: { run: Run; states: StateCounts }): Promise<boolean> {
  if (states.sending > 0) return false
  return (await ledger.pauses()).some((pause) => pause.courseUuid === run.courseUuid)
}

function rateOf({ gates, settings, exclusive }: App): ProgressPicture['rate'] {
  const { invite, report } = gates.report()
  return {
    now: Math.max(invite?.lastSecond ?? 0, report?.lastSecond ?? 0),
    limit: settings.file.service.limits.general,
    shared: !exclusive,
  }
}

/** Returns the fault when nothing has moved for a while, rows are still to be sent, and the service does not answer or refuses our keys. */
function openQuiet({ clock, issuer }: App) {
  let last = ''
  let since = clock.monotonicMs()
  return async (states: StateCounts): Promise<unknown> => {
    const now = JSON.stringify(states)
    if (now !== last || (states.pending === 0 && totalOf(states) > 0)) {
      last = now
      since = clock.monotonicMs()
      return null
    }
    if (clock.monotonicMs() - since < quietMs) return null
    since = clock.monotonicMs()
    return issuer.checkToken().then(
      () => null,
      (fault: unknown) => fault,
    )
  }
}
