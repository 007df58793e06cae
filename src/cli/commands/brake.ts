// credsync approve and credsync reject: decide about a run that the brake holds, or that is the first list of a course
// for which the report already shows credentials. Who decided and why is stored with the run.

import { isCompletionsPath } from '#src/ledger/lms/completions.ts'
import type { Run } from '#src/ledger/runs/runs.ts'
import { appFor, type Cli, printJson, say, settingsFor } from '../cli-context.ts'
import { type ExitCode, exitCode, UsageError } from '../exit-code.ts'
import { findRunId } from '../find-run-id.ts'
import { operatorDecision } from '../operator-decision.ts'

export interface BrakeOptions {
  config?: string
  json?: boolean
  by?: string
  reason?: string
}

export async function approveCommand(cli: Cli, run: string, options: BrakeOptions): Promise<ExitCode> {
  return decideBrakedRun(cli, run, options, 'approve')
}

export async function rejectCommand(cli: Cli, run: string, options: BrakeOptions): Promise<ExitCode> {
  return decideBrakedRun(cli, run, options, 'reject')
}

async function decideBrakedRun(
  cli: Cli,
  runText: string,
  options: BrakeOptions,
  choice: 'approve' | 'reject',
): Promise<ExitCode> {
  await using app = await appFor(cli, await settingsFor(cli, options))
  const id = await findRunId(app.ledger, runText)
  const decision = operatorDecision(cli, options)
  const isDecided = await (choice === 'approve'
    ? app.ledger.brake.approve(id, decision)
    : app.ledger.brake.reject(id, decision))
  const run = await app.ledger.runs.find(id)
  if (!run || !isDecided) throw new UsageError(`Run ${id} is not braked: ${statusOf(run)} Nothing was changed.`)
  if (options.json) printJson(cli, { run: id, state: choice === 'approve' ? 'received' : 'refused' })
  say(
    cli,
    choice === 'approve'
      ? `${run.sourceName} (run ${id}) is approved. It is read again and issued (${run.brake?.shown ? 'except for people who are already in the ledger by then' : 'regardless of its size'}) while \`credsync start\` runs, or by the next \`credsync issue\`.${isCompletionsPath(run.sourcePath) ? '' : ' The file must not have changed in the meantime.'}`
      : `${run.sourceName} (run ${id}) is rejected: none of it is issued.`,
  )
  return exitCode.ok
}

function statusOf(run: Run | null): string {
  if (run?.state === 'refused') return `it was refused (${run.refusal}).`
  if (run?.approval) return `it was approved by ${run.approval.by}.`
  return run?.state === 'published' ? 'it was published.' : 'it has not been read yet.'
}
