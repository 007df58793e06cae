// credsync held: lists the rows that need a decision, with the evidence in plain words and the possible answers.

import { heldAnswers, heldBecause, heldEvidence } from '#src/issuing/descriptions/held-row.ts'
import type { HeldRow } from '#src/ledger/rows-to-decide.ts'
import { appFor, type Cli, print, printJson, settingsFor } from '../cli-context.ts'
import { type ExitCode, exitCode } from '../exit-code.ts'
import { toDecideLines } from '../text/revocation-text.ts'
import { indentedLine } from '../text/terminal-text.ts'

export async function heldCommand(cli: Cli, options: { config?: string; json?: boolean }): Promise<ExitCode> {
  await using app = await appFor(cli, await settingsFor(cli, options))
  const rows = await app.ledger.decisions.heldRows()
  const revocations = await app.ledger.revocations.toDecide()
  if (options.json) printJson(cli, { held: rows.map((row) => ({ ...row, id: `i${row.id}` })), revocations })
  else if (rows.length + revocations.length === 0) print(cli, 'Nothing is held.')
  else
    for (const line of [...rows.flatMap(heldRowLines), ...revocations.flatMap(toDecideLines)])
      print(cli, indentedLine(line))
  return rows.length + revocations.length > 0 ? exitCode.needsPerson : exitCode.ok
}

/** Pure. */
export function heldRowLines(row: HeldRow): string[] {
  const { sent, shown } = heldEvidence(row)
  return [
    `i${row.id}: row ${row.row} of ${row.source} (${row.pipeline}), held since ${row.since.toISOString()}`,
    `  because ${heldBecause(row)}`,
    `  evidence: ${sent}; ${shown}`,
    `  Look the person up in the portal. \`credsync explain i${row.id}\` shows the whole history. Then one of:`,
    ...heldAnswers(row.id).map(({ command, leadsTo }) => `    ${command.padEnd(answerWidth(row))}  ${leadsTo}`),
  ]
}

const answerWidth = ({ id }: HeldRow) => `credsync resolve i${id} --not-sent`.length
