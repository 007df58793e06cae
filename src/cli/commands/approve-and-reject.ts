// credsync approve and credsync reject: decide about a run that the brake holds, or that is the first list of a course
// for which the report already shows credentials. Who decided and why is stored with the run.

import { findRunId } from '#src/cli/find-run-id.ts'
import { operatorDecision } from '#src/cli/operator-decision.ts'
import { approvedWords, type BrakeChoice, decideBrakedRun } from '#src/issuing/decisions/decide-braked-run.ts'
import { appFor, type Cli, printJson, say, settingsFor } from '../cli-context.ts'
import { type ExitCode, exitCode } from '../exit-code.ts'

interface BrakeOptions {
  config?: string
  json?: boolean
  by?: string
  reason?: string
}

export async function approveCommand(cli: Cli, run: string, options: BrakeOptions): Promise<ExitCode> {
  return decide(cli, run, options, 'approve')
}

export async function rejectCommand(cli: Cli, run: string, options: BrakeOptions): Promise<ExitCode> {
  return decide(cli, run, options, 'reject')
}

async function decide(cli: Cli, runText: string, options: BrakeOptions, choice: BrakeChoice): Promise<ExitCode> {
  await using app = await appFor(cli, await settingsFor(cli, options))
  const id = await findRunId(app.ledger, runText)
  const run = await decideBrakedRun(app, id, choice, operatorDecision(cli, options))
  const { extent, condition } = approvedWords(run)
  if (options.json) printJson(cli, { run: id, state: choice === 'approve' ? 'received' : 'refused' })
  say(
    cli,
    choice === 'approve'
      ? `${run.sourceName} (run ${id}) is approved. It is read again and issued (${extent}) while \`credsync start\` runs, or by the next \`credsync issue\`.${condition}`
      : `${run.sourceName} (run ${id}) is rejected: none of it is issued.`,
  )
  return exitCode.ok
}
