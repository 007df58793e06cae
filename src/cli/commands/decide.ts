// credsync resolve and credsync retry: decisions that only a person may make. Who decided and why is stored in the
// history.

import type { App } from '#src/app/app.ts'
import { otherItemsSentence } from '#src/issuing/descriptions/other-items-sentence.ts'
import { appFor, type Cli, printJson, say, settingsFor } from '../cli-context.ts'
import { type ExitCode, exitCode, UsageError } from '../exit-code.ts'
import { findRunId } from '../find-run-id.ts'
import { operatorDecision } from '../operator-decision.ts'

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
  const given = ids.map(readId)
  const decided = await app.ledger.decisions.resolve(given, answer, operatorDecision(cli, options))
  if (options.sent) await app.ledger.poller.schedule(0, 0)
  const done = options.sent ? 'followed in the report' : 'sent again'
  const days = options.sent ? new Map() : await app.ledger.erasures.forgottenDays(decided)
  for (const [id, day] of days) say(cli, `i${id} is withdrawn instead, because its person was forgotten on ${day}.`)
  return reportDecisions(cli, {
    decided,
    unchanged: await reasonsUnchanged(app, given, decided, 'held'),
    options,
    done,
  })
}

export async function retryCommand(
  cli: Cli,
  ids: readonly string[],
  options: DecideOptions & { run?: string },
): Promise<ExitCode> {
  if (Boolean(options.run) === ids.length > 0)
    throw new UsageError('Name the failed rows by their ids, such as i42, or a whole run with --run ID.')
  const given = ids.map(readId)
  await using app = await appFor(cli, await settingsFor(cli, options))
  const run = options.run === undefined ? null : await findRunId(app.ledger, options.run)
  const decided = await app.ledger.decisions.retry(run ? { run } : { ids: given }, operatorDecision(cli, options))
  const unchanged = run
    ? reasonForNone(run, decided)
    : await reasonsUnchanged(app, given, decided, 'failed, without a credential in the report')
  return reportDecisions(cli, { decided, unchanged, options, done: 'sent again, one at a time' })
}

/** @param end.unchanged a sentence for each id that was given and not decided */
function reportDecisions(
  cli: Cli,
  end: { decided: readonly number[]; unchanged: readonly string[]; options: DecideOptions; done: string },
): ExitCode {
  const { decided, unchanged, options } = end
  if (options.json) printJson(cli, { decided: decided.map((id) => `i${id}`) })
  if (decided.length > 0)
    say(
      cli,
      `${decided.map((id) => `i${id}`).join(', ')}: ${end.done} while \`credsync start\` runs, or by the next \`credsync issue\`.`,
    )
  for (const sentence of unchanged) say(cli, sentence)
  return unchanged.length === 0 ? exitCode.ok : exitCode.usage
}

/** Returns a sentence for each id without a decision, which says why it was left unchanged. */
async function reasonsUnchanged(
  { ledger }: Pick<App, 'ledger'>,
  given: readonly number[],
  decided: readonly number[],
  wanted: string,
): Promise<string[]> {
  const left = [...new Set(given)].filter((id) => !decided.includes(id))
  const found = await ledger.issuances.states(left)
  return left.map((id) => {
    const now = found.get(id)
    if (!now) return `i${id}: nothing was changed, because the ledger has no i${id} for ${ledger.environment}.`
    if (now.forgotten !== null)
      return `i${id}: nothing was changed, because its person was forgotten on ${now.forgotten}. It is ${now.state}.`
    if (now.isPartial && now.state === 'failed')
      return `i${id}: nothing was changed, because it was adopted from the report, which shows only part of its data. \`credsync correct i${id} --set "FIELD=VALUE"\` sends it with complete data.`
    if (now.state === 'failed' && now.surplusItems > 0)
      return `i${id}: nothing was changed, because ${otherItemsSentence(id, now.surplusItems)}`
    const is = now.hasCredential ? `${now.state}, with a credential in the report` : now.state
    const ask =
      now.state === 'rejected' && wanted !== 'held'
        ? ' The certification body rejected it, and credsync does not ask again: find out why, and issue it in the portal if they approve it.'
        : ''
    return `i${id}: nothing was changed, because it is not ${wanted}, but ${is}.${ask}`
  })
}

function reasonForNone(run: string, decided: readonly number[]): string[] {
  if (decided.length > 0) return []
  return [
    `Run ${run} has no failed row to send again. If it has failed rows, the report now shows a credential or another item for each of those people (\`credsync explain\`). Nothing was changed.`,
  ]
}

function readId(text: string): number {
  const id = /^i(\d{1,15})$/.exec(text)
  if (!id)
    throw new UsageError(
      `${text} is not an issuance id. Issuance ids look like i42; \`credsync held\`, \`status\` and \`explain\` show them.`,
    )
  return Number(id[1])
}
