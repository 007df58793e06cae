// credsync resolve and credsync retry: what only a person may decide. Who and why is kept in the history.

import { type ExitCode, exitCode, UsageError } from '../exit-code.ts'
import { answerJson, appFor, type Cli, say, settingsFor } from '../surroundings.ts'

interface DecideOptions {
  config?: string
  json?: boolean
  by?: string
  why?: string
}

export async function resolveCommand(
  cli: Cli,
  ids: readonly string[],
  options: DecideOptions & { sent?: boolean; notSent?: boolean },
): Promise<ExitCode> {
  if (Boolean(options.sent) === Boolean(options.notSent))
    throw new UsageError(
      'Say what you found out: --sent (the service has the request) or --not-sent (it does not). `credsync held` shows the evidence.',
    )
  await using app = await appFor(cli, await settingsFor(cli, options))
  const answer = options.sent ? 'sent' : 'not sent'
  const decided = await app.ledger.resolveHeld(ids.map(readId), answer, decisionOf(cli, options))
  if (options.sent) await app.ledger.schedulePoller(0, 0)
  return tell(cli, {
    asked: ids.length,
    decided,
    options,
    nothing: 'is held (any more)',
    done: options.sent ? 'followed in the report' : 'sent again',
  })
}

export async function retryCommand(
  cli: Cli,
  ids: readonly string[],
  options: DecideOptions & { run?: string },
): Promise<ExitCode> {
  if (Boolean(options.run) === ids.length > 0)
    throw new UsageError('Name the failed rows by their ids, such as i42, or a whole run with --run ID.')
  await using app = await appFor(cli, await settingsFor(cli, options))
  const decided = await app.ledger.retryFailed(
    options.run ? { run: options.run } : { ids: ids.map(readId) },
    decisionOf(cli, options),
  )
  return tell(cli, {
    asked: options.run ? decided.length : ids.length,
    decided,
    options,
    nothing: 'is failed (or the report shows a credential for it by now)',
    done: 'sent again, one by one',
  })
}

function tell(
  cli: Cli,
  end: { asked: number; decided: readonly number[]; options: DecideOptions; nothing: string; done: string },
): ExitCode {
  const { asked, decided, options } = end
  if (options.json) answerJson(cli, { decided: decided.map((id) => `i${id}`) })
  if (decided.length > 0)
    say(
      cli,
      `${decided.map((id) => `i${id}`).join(', ')}: ${end.done} while \`credsync start\` runs, or by the next \`credsync issue\`.`,
    )
  if (decided.length === asked && asked > 0) return exitCode.ok
  say(cli, `${asked - decided.length} of ${asked}: nothing was changed, because none of them ${end.nothing}.`)
  return exitCode.usage
}

function readId(text: string): number {
  const id = /^i(\d{1,15})$/.exec(text)
  if (!id)
    throw new UsageError(
      `${text} is not an issuance id. They look like i42; \`credsync held\`, \`status\` and \`explain\` show them.`,
    )
  return Number(id[1])
}

function decisionOf(cli: Cli, options: DecideOptions) {
  return {
    by: options.by ?? cli.env.SUDO_USER ?? cli.env.USER ?? 'somebody at the command line',
    why: options.why ?? '',
  }
}
