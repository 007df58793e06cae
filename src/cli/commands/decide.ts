// credsync resolve and credsync retry: what only a person may decide. Who and why is kept in the history.

import type { App } from '#src/app.ts'
import { decisionOf } from '../decision-of.ts'
import { type ExitCode, exitCode, UsageError } from '../exit-code.ts'
import { namedRun } from '../named-run.ts'
import { shownBeside } from '../shown-beside.ts'
import { answerJson, appFor, type Cli, say, settingsFor } from '../surroundings.ts'

interface DecideOptions {
  config?: string
  json?: boolean
  by?: string
  reason?: string
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
  const asked = ids.map(readId)
  const decided = await app.ledger.resolveHeld(asked, answer, decisionOf(cli, options))
  if (options.sent) await app.ledger.schedulePoller(0, 0)
  const done = options.sent ? 'followed in the report' : 'sent again'
  return tell(cli, { decided, left: await leftAlone(app, asked, decided, 'held'), options, done })
}

export async function retryCommand(
  cli: Cli,
  ids: readonly string[],
  options: DecideOptions & { run?: string },
): Promise<ExitCode> {
  if (Boolean(options.run) === ids.length > 0)
    throw new UsageError('Name the failed rows by their ids, such as i42, or a whole run with --run ID.')
  const asked = ids.map(readId)
  await using app = await appFor(cli, await settingsFor(cli, options))
  const run = options.run === undefined ? null : await namedRun(app.ledger, options.run)
  const decided = await app.ledger.retryFailed(run ? { run } : { ids: asked }, decisionOf(cli, options))
  const left = run
    ? noneOf(run, decided)
    : await leftAlone(app, asked, decided, 'failed, without a credential in the report')
  return tell(cli, { decided, left, options, done: 'sent again, one by one' })
}

/** @param end.left a sentence for each that was asked for and not decided */
function tell(
  cli: Cli,
  end: { decided: readonly number[]; left: readonly string[]; options: DecideOptions; done: string },
): ExitCode {
  const { decided, left, options } = end
  if (options.json) answerJson(cli, { decided: decided.map((id) => `i${id}`) })
  if (decided.length > 0)
    say(
      cli,
      `${decided.map((id) => `i${id}`).join(', ')}: ${end.done} while \`credsync start\` runs, or by the next \`credsync issue\`.`,
    )
  for (const sentence of left) say(cli, sentence)
  return left.length === 0 ? exitCode.ok : exitCode.usage
}

/** Why each of the others was left as it is. */
async function leftAlone(
  { ledger }: Pick<App, 'ledger'>,
  asked: readonly number[],
  decided: readonly number[],
  wanted: string,
): Promise<string[]> {
  const left = [...new Set(asked)].filter((id) => !decided.includes(id))
  const found = await ledger.issuanceStates(left)
  return left.map((id) => {
    const now = found.get(id)
    if (!now) return `i${id}: nothing was changed, because the ledger has no i${id} for ${ledger.environment}.`
    if (now.part && now.state === 'failed')
      return `i${id}: nothing was changed, because it was adopted from the report, which shows only a part of its data. \`credsync correct i${id} --set "FIELD=VALUE"\` sends it with all of them.`
    if (now.state === 'failed' && now.beside > 0)
      return `i${id}: nothing was changed, because ${shownBeside(id, now.beside)}`
    const is = now.credential ? `${now.state}, with a credential in the report` : now.state
    const ask =
      now.state === 'rejected' && wanted !== 'held'
        ? ' The certification body said no, and credsync does not ask it twice: ask them why, and issue it in the portal if they say yes.'
        : ''
    return `i${id}: nothing was changed, because it is not ${wanted}, but ${is}.${ask}`
  })
}

function noneOf(run: string, decided: readonly number[]): string[] {
  if (decided.length > 0) return []
  return [
    `The run ${run} has no failed row, or the report shows a credential, or another item for its person, for each of them by now (\`credsync explain\`); nothing was changed.`,
  ]
}

function readId(text: string): number {
  const id = /^i(\d{1,15})$/.exec(text)
  if (!id)
    throw new UsageError(
      `${text} is not an issuance id. They look like i42; \`credsync held\`, \`status\` and \`explain\` show them.`,
    )
  return Number(id[1])
}
