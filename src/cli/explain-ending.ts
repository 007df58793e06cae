// Says at the end of `issue` why a run is not finished, and what continues it; chooses the exit code.

import { countIn, watchedStates } from '#src/domain/credential/state.ts'
import { safeMessage } from '#src/platform/safe-message.ts'
import { type Cli, say } from './cli-context.ts'
import { type ExitCode, exitCode, exitCodeOf } from './exit-code.ts'
import type { FollowedRun } from './follow-run.ts'

/**
 * Says how a followed run ended, unless it reached what was asked for.
 * @param waiting how many of its rows need an operator
 */
export function explainEnding(
  cli: Pick<Cli, 'stderr'>,
  followed: Pick<FollowedRun, 'ending' | 'states' | 'fault'>,
  waiting: number,
): ExitCode {
  const { ending, states } = followed
  if (ending === 'interrupted') {
    say(
      cli,
      `Stopped. ${states.pending} rows are still to be sent and ${countIn(states, watchedStates)} to be followed; the same command or \`credsync start\` continues.`,
    )
    return exitCode.interrupted
  }
  if (ending === 'stopped') return exitCode.needsPerson
  if (ending === 'course waits') {
    say(
      cli,
      `${states.pending} rows wait until the course can issue, and are then sent automatically while \`credsync start\` runs, or by the same command.`,
    )
    return exitCode.needsPerson
  }
  if (ending === 'timeout') {
    say(
      cli,
      'The timeout expired before the run was finished. The same command, `credsync start` or `credsync reconcile --once` continues.',
    )
    return exitCode.timeout
  }
  if (ending === 'lost') {
    say(
      cli,
      'The connection that makes this the only worker was lost, so the command stopped. Nothing is lost: run the same command again or start the worker to continue.',
    )
    return exitCode.usage
  }
  if (ending === 'service away') {
    say(cli, safeMessage(followed.fault))
    return exitCodeOf(followed.fault)
  }
  return waiting > 0 ? exitCode.needsPerson : exitCode.ok
}
