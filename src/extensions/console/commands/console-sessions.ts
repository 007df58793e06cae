// credsync console sessions, sign-out: who is signed in to the console, in whichever way, and an end of that.

import { appFor, type Cli, print, printJson, say, settingsFor } from '#src/cli/cli-context.ts'
import { type ExitCode, exitCode, UsageError } from '#src/cli/exit-code.ts'
import { operatorDecision } from '#src/cli/operator-decision.ts'
import { minuteOf } from '#src/platform/time/format-minute.ts'

export async function listSessionsCommand(cli: Cli, options: { config?: string; json?: boolean }): Promise<ExitCode> {
  await using app = await appFor(cli, await settingsFor(cli, options))
  const sessions = await app.ledger.consoleSessions.list(cli.clock.now())
  if (options.json) printJson(cli, { sessions })
  else if (sessions.length === 0) print(cli, 'Nobody is signed in.')
  else
    for (const { name, isLocal, beganAt, seenAt } of sessions)
      print(
        cli,
        `${name}  ${isLocal ? 'by password' : 'by the organization'} since ${minuteOf(beganAt)} UTC, last used ${minuteOf(seenAt)} UTC`,
      )
  return exitCode.ok
}

export async function signOutCommand(
  cli: Cli,
  name: string,
  options: { config?: string; by?: string },
): Promise<ExitCode> {
  await using app = await appFor(cli, await settingsFor(cli, options))
  const ended = await app.ledger.consoleSessions.endAll(name)
  if (ended === 0) throw new UsageError(`${name} is not signed in. \`credsync console sessions\` shows who is.`)
  const { by } = operatorDecision(cli, options)
  await app.ledger.consoleActs.note({ by, act: 'ended the sessions of a person', detail: name }, cli.clock.now())
  say(cli, `${ended} ${ended === 1 ? 'session' : 'sessions'} of ${name} ended.`)
  return exitCode.ok
}
