// credsync approve and credsync reject: what becomes of a run that the brake holds. Who and why is kept with the run.

import { isOfCompletions } from '#src/ledger/completions.ts'
import type { Run } from '#src/ledger/runs.ts'
import { decisionOf } from '../decision-of.ts'
import { type ExitCode, exitCode, UsageError } from '../exit-code.ts'
import { namedRun } from '../named-run.ts'
import { answerJson, appFor, type Cli, say, settingsFor } from '../surroundings.ts'

export interface BrakeOptions {
  config?: string
  json?: boolean
  by?: string
  reason?: string
}

export async function approveCommand(cli: Cli, run: string, options: BrakeOptions): Promise<ExitCode> {
  return decideBraked(cli, run, options, 'approve')
}

export async function rejectCommand(cli: Cli, run: string, options: BrakeOptions): Promise<ExitCode> {
  return decideBraked(cli, run, options, 'reject')
}

async function decideBraked(
  cli: Cli,
  text: string,
  options: BrakeOptions,
  verb: 'approve' | 'reject',
): Promise<ExitCode> {
  await using app = await appFor(cli, await settingsFor(cli, options))
  const id = await namedRun(app.ledger, text)
  const decision = decisionOf(cli, options)
  const decided = await (verb === 'approve' ? app.ledger.approveRun(id, decision) : app.ledger.rejectRun(id, decision))
  const run = await app.ledger.findRun(id)
  if (!run || !decided) throw new UsageError(`The run ${id} is not braked: ${standingOf(run)} Nothing was changed.`)
  if (options.json) answerJson(cli, { run: id, state: verb === 'approve' ? 'received' : 'refused' })
  say(
    cli,
    verb === 'approve'
      ? `${run.sourceName} (run ${id}) is approved: it is read again and issued, whatever its size, while \`credsync start\` runs, or by the next \`credsync issue\`.${isOfCompletions(run.sourcePath) ? '' : ' It must not have changed since.'}`
      : `${run.sourceName} (run ${id}) is rejected: nothing of it is issued.`,
  )
  return exitCode.ok
}

function standingOf(run: Run | null): string {
  if (run?.state === 'refused') return `it was refused (${run.refusal}).`
  if (run?.approval) return `it was approved by ${run.approval.by}.`
  return run?.state === 'published' ? 'it was published.' : 'it is still to be read.'
}
