// credsync resolve and credsync retry: decisions that only a person may make. Who decided and why is stored in the
// history.

import { findRunId } from '#src/cli/find-run-id.ts'
import { operatorDecision } from '#src/cli/operator-decision.ts'
import { resolveHeldRows, retryFailedRows, retryFailedRowsOfRun } from '#src/issuing/decisions/decide-rows.ts'
import { whenForgotten } from '#src/ledger/forgotten-people.ts'
import { appFor, type Cli, printJson, say, settingsFor } from '../cli-context.ts'
import { type ExitCode, exitCode, UsageError } from '../exit-code.ts'

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
  const decision = operatorDecision(cli, options)
  const result = await resolveHeldRows(app, { ids: ids.map(readId), answer }, decision)
  for (const [id, forgotten] of result.withdrawn)
    say(cli, `i${id} is withdrawn instead, because ${whenForgotten(forgotten)}.`)
  const done = options.sent ? 'followed in the report' : 'sent again'
  return reportDecisions(cli, { ...result, options, done })
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
  const decision = operatorDecision(cli, options)
  const result =
    options.run === undefined
      ? await retryFailedRows(app, { ids: given }, decision)
      : await retryFailedRowsOfRun(app, { run: await findRunId(app.ledger, options.run) }, decision)
  return reportDecisions(cli, { ...result, options, done: 'sent again, one at a time' })
}

/** @param end.unchanged a sentence for each given id that was not decided */
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

function readId(text: string): number {
  const id = /^i(\d{1,15})$/.exec(text)
  if (!id)
    throw new UsageError(
      `${text} is not an issuance id. Issuance ids look like i42; \`credsync held\`, \`status\` and \`explain\` show them.`,
    )
  return Number(id[1])
}
