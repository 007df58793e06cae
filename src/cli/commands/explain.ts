// credsync explain WHO: shows everything that happened to one recipient or issuance, in order, with the evidence.

import type { ExplainedBeside } from '#src/cli/extension-parts.ts'
import { explainCertificates } from '#src/extensions/certificates/commands/explain-certificates.ts'
import { explainLearning } from '#src/extensions/lms/commands/explain-learning.ts'
import type { Explained, HistoryLine } from '#src/ledger/explain.ts'
import { findRecipient } from '#src/ledger/resolve-recipient.ts'
import type { WaitingRow } from '#src/ledger/runs/rows-from-elsewhere.ts'
import { minuteOf } from '#src/platform/time/duration.ts'
import { type Cli, print, printJson } from '../cli-context.ts'
import { type ExitCode, exitCode, UsageError } from '../exit-code.ts'
import { openLedgerForReading } from '../open-ledger-for-reading.ts'
import { indentedLine } from '../text/terminal-text.ts'

export async function explainCommand(cli: Cli, who: string, options: { json?: boolean }): Promise<ExitCode> {
  await using reading = await openLedgerForReading(cli)
  const { ledger } = reading
  const { found, waiting } = await findRecipient(ledger, who)
  if (found.length + waiting.length === 0)
    throw new UsageError(
      'No one in the ledger matches that. Give an e-mail address, a contact number, a register number, a credential id, the number of a learner in the learning system, or an issuance id such as i42. Invalid rows, and the rows of runs that were refused or are held by the brake, cannot be found this way: `credsync status` shows the runs, and `credsync status --run ID` names the file with the invalid rows of one run.',
    )
  const beside: ExplainedBeside[] = []
  beside.push(await explainCertificates(ledger, found))
  beside.push(await explainLearning(ledger, found))
  if (options.json) printJson(cli, { issuances: found.map((life) => documentOf(life, beside)), waiting })
  else
    print(
      cli,
      [...found.map((life) => issuanceLines(life, beside)), ...waiting.map(waitingLines)]
        .map((lines) => lines.map(indentedLine).join('\n'))
        .join('\n\n'),
    )
  return exitCode.ok
}

/** Describes a completion without a credential. */
function waitingLines({ system, learner, course, completedAt, foundAt, pipeline, ...of }: WaitingRow): string[] {
  return [
    `learner ${learner} of ${system}: completed ${course} at ${minuteOf(completedAt)}, received at ${minuteOf(foundAt)} UTC (${pipeline}, ${of.environment})`,
    `  waits         ${whyWaiting(of, system)}`,
  ]
}

function whyWaiting(
  { run, runState, isRejected, row, reason }: Pick<WaitingRow, 'run' | 'runState' | 'isRejected' | 'row' | 'reason'>,
  system: string,
): string {
  switch (runState) {
    case null:
      return reason ?? 'for the next run, which `credsync start` creates'
    case 'published':
      return `row ${row} of run ${run} is invalid: ${reason}`
    case 'braked':
      return `run ${run} is held by the brake: \`credsync approve ${run}\` releases it`
    case 'refused':
      if (isRejected)
        return `run ${run} was ${reason}, so no one in it gets a credential; to issue credentials to them after all, submit them in a file`
      return `run ${run} was refused: ${reason} Then run \`credsync events replay --system ${system}\``
    default:
      return `run ${run} is being read`
  }
}

function documentOf(
  { id, corrects, correctedBy, history, ...life }: Explained,
  beside: readonly ExplainedBeside[],
): object {
  const named = (other: number | null) => other && `i${other}`
  const { forgotten } = life
  const days = {
    forgotten: forgotten?.kind === 'request' ? forgotten.day : null,
    expired: forgotten?.kind === 'retention' ? forgotten.day : null,
  }
  const more = Object.assign({}, ...beside.map(({ documentOf: of }) => of(id)))
  return {
    ...life,
    ...more,
    ...days,
    id: `i${id}`,
    corrects: named(corrects),
    correctedBy: named(correctedBy),
    history,
  }
}

function issuanceLines(life: Explained, beside: readonly ExplainedBeside[]): string[] {
  const shown = [
    ['credential', life.credentialId],
    ['verifier link', life.verifierLink],
    ['issue date', life.issueDate],
    ['valid till', life.validTill],
    ['revoked', life.revokedDate],
    ['corrects', life.corrects && `i${life.corrects}, which it replaced`],
    ['corrected', life.correctedBy && `i${life.correctedBy} replaced it`],
    ['report item', life.entityUuid],
    ['report says', life.reportStatus],
    ...forgottenFact(life),
    ['because', life.reason],
    ...beside.flatMap(({ factsOf }) => factsOf(life.id)),
    ['waits', life.pauseReason],
    [
      'surplus items',
      life.surplusItems > 0 ? `${life.surplusItems}: the report shows more than one item for this person` : null,
    ],
  ].flatMap(([name, value]) => (value ? [`  ${String(name).padEnd(14)}${value}`] : []))
  return [
    `i${life.id}: ${life.state}, from row ${life.row} of ${life.source} (${life.pipeline}, ${life.environment}, run ${life.run})`,
    ...shown,
    ...life.alsoIn.map(
      ({ row, source, run, changedFields }) =>
        `  also in       row ${row} of ${source} (run ${run}); skipped, because the person is already known${changedFields ? `, with other data: ${changedFields.join(', ')}` : ''}`,
    ),
    ...beside.flatMap(({ linesOf }) => linesOf?.(life.id) ?? []),
    ...life.history.map((line) => `  ${line.at.toISOString()}  ${happened(line)}`),
  ]
}

function forgottenFact({ forgotten }: Explained): [string, string][] {
  if (!forgotten) return []
  const { kind, day } = forgotten
  return kind === 'request'
    ? [['forgotten', `on ${day}: the data are deleted, or will be (\`credsync erasures\`)`]]
    : [['expired', `on ${day}: the data are deleted, because the retention of its lists ended`]]
}

function happened(line: HistoryLine): string {
  const step =
    line.to === null || line.from === line.to ? '' : line.from === null ? `: ${line.to}` : `: ${line.from} → ${line.to}`
  const evidence = Object.entries(line.evidence ?? {})
    .filter(([, value]) => value !== null && value !== '')
    .map(([key, value]) => `${key}: ${String(value)}`)
  const attempt = line.attempt === null ? [] : [`call: ${line.attempt}`]
  const all = [...attempt, ...evidence]
  return `${line.event}${step}${all.length > 0 ? ` (${all.join(', ')})` : ''}`
}
