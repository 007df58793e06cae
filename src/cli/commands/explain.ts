// credsync explain WHO: all that happened to one recipient or issuance, in order, with the evidence.

import { join } from 'node:path'
import type { Explained, HistoryLine } from '#src/ledger/explain.ts'
import { minuteOf } from '#src/time/minute.ts'
import { type ExitCode, exitCode, UsageError } from '../exit-code.ts'
import { readLedger } from '../ledger-reading.ts'
import { sought } from '../sought.ts'
import { answer, answerJson, type Cli } from '../surroundings.ts'

export async function explainCommand(cli: Cli, who: string, options: { json?: boolean }): Promise<ExitCode> {
  await using reading = await readLedger(cli)
  const found = await reading.ledger.explain(sought(reading.ledger, who))
  if (found.length === 0)
    throw new UsageError(
      'The ledger knows nobody by that. Give an e-mail address, a contact number, a register number, or an issuance id such as i42. Rows that were invalid, and runs that were refused or wait behind the brake, are not kept by name: `credsync status` shows the runs, and `credsync status --run ID` names the file with the invalid rows of one.',
    )
  if (options.json) answerJson(cli, { issuances: found.map(documentOf) })
  else answer(cli, found.map((each) => lifeLines(each).join('\n')).join('\n\n'))
  return exitCode.ok
}

function documentOf({ id, corrects, correctedBy, ...life }: Explained): object {
  const named = (other: number | null) => other && `i${other}`
  return { ...life, id: `i${id}`, corrects: named(corrects), correctedBy: named(correctedBy) }
}

function lifeLines(life: Explained): string[] {
  const shown = [
    ['credential', life.credentialId],
    ['verifier link', life.verifierLink],
    ['issue date', life.issueDate],
    ['valid till', life.validTill],
    ['revoked', life.revokedDate],
    ['corrects', life.corrects && `i${life.corrects}, whose place it took`],
    ['corrected', life.correctedBy && `i${life.correctedBy} took its place`],
    ['report item', life.entityUuid],
    ['report says', life.reportStatus],
    ['because', life.reason],
    ['completed', completed(life)],
    ['certificate', certificate(life)],
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
        `  also in       row ${row} of ${source} (run ${run}); skipped, since it is known${changedFields ? `, with other data: ${changedFields.join(', ')}` : ''}`,
    ),
    ...life.tells.map(
      ({ target, wanted, state, at, problem }) =>
        `  told          ${target}: ${wanted}, ${state} ${minuteOf(new Date(at))} UTC${problem ? `. ${problem}` : ''}`,
    ),
    ...life.history.map((line) => `  ${line.at.toISOString()}  ${happened(line)}`),
  ]
}

function completed({ completion }: Explained): string | null {
  if (!completion) return null
  const { system, course, completedAt, heardAt, heardBy } = completion
  const way = heardBy === 'event' ? 'an event' : 'asking it'
  return `${course} in ${system} at ${minuteOf(new Date(completedAt))}, heard by ${way} at ${minuteOf(new Date(heardAt))} UTC`
}

function certificate({ archived }: Explained): string | null {
  if (!archived) return null
  if (archived.folder && archived.file) return join(archived.folder, archived.file)
  return `not archived, tried ${archived.tries === 1 ? 'once' : `${archived.tries} times`}: ${archived.problem}`
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
