// Sends the row of a correction: in this process, or through the worker that is running on the ledger. Returns its
// state.

import type { App } from '#src/app/app.ts'
import type { State } from '#src/domain/credential/state.ts'
import type { Cli } from './cli-context.ts'
import { type ExitCode, exitCode, exitCodeOf } from './exit-code.ts'
import { followRun } from './follow-run.ts'
import { openProgressDisplay } from './progress-display.ts'

/** Returns once the row has been sent, or with `wait` once it is final. */
export async function issueCorrection(
  cli: Cli,
  app: App,
  issuanceId: number,
  { wait = false }: { wait?: boolean },
): Promise<{ state: State; credentialId: string | null; code: ExitCode }> {
  const readIssuance = async () => (await app.ledger.issuances.explain({ id: issuanceId }))[0]
  const before = await readIssuance()
  if (!before) throw new Error(`The ledger has no i${issuanceId}.`)
  await using stack = new AsyncDisposableStack()
  const startWorker = async () => {
    const started = await cli.jobs.startWorker(app)
    return started && stack.use(started)
  }
  const progress = openProgressDisplay(cli.stderr, cli.clock)
  const followed = await followRun(app, {
    runId: before.run,
    untilFinal: wait,
    timeoutMs: null,
    signal: cli.signal,
    progress,
    own: await startWorker(),
    takeOver: startWorker,
  })
  progress.end()
  await stack.disposeAsync()
  const { state, credentialId } = (await readIssuance()) ?? before
  return { state, credentialId, code: codeOf(followed.ending, followed.fault, state) }
}

function codeOf(ending: string, fault: unknown, state: State): ExitCode {
  if (ending === 'interrupted') return exitCode.interrupted
  if (ending === 'service away') return exitCodeOf(fault)
  const needsPerson = ending !== 'reached' || ['rejected', 'failed', 'held'].includes(state)
  return needsPerson ? exitCode.needsPerson : exitCode.ok
}
