// After a correction was made: its one row is sent here, unless a worker of this ledger does it.

import type { App } from '#src/app.ts'
import type { State } from '#src/issuance/state.ts'
import { type ExitCode, exitCode, exitCodeOf } from './exit-code.ts'
import { followRun } from './follow-run.ts'
import { openProgress } from './progress.ts'
import type { Cli } from './surroundings.ts'

/** Until it is sent, or final with `wait`. */
export async function issueCorrection(
  cli: Cli,
  app: App,
  issuanceId: number,
  { wait = false }: { wait?: boolean },
): Promise<{ state: State; credentialId: string | null; code: ExitCode }> {
  const one = async () => (await app.ledger.explain({ id: issuanceId }))[0]
  const before = await one()
  if (!before) throw new Error(`The ledger has no i${issuanceId}.`)
  await using stack = new AsyncDisposableStack()
  const startWorker = async () => {
    const started = await cli.doing.startWorker(app)
    return started && stack.use(started)
  }
  const progress = openProgress(cli.stderr, cli.clock)
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
  const { state, credentialId } = (await one()) ?? before
  return { state, credentialId, code: codeOf(followed.ending, followed.fault, state) }
}

function codeOf(ending: string, fault: unknown, state: State): ExitCode {
  if (ending === 'interrupted') return exitCode.interrupted
  if (ending === 'service away') return exitCodeOf(fault)
  const needsPerson = ending !== 'reached' || ['rejected', 'failed', 'held'].includes(state)
  return needsPerson ? exitCode.needsPerson : exitCode.ok
}
