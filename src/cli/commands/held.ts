// credsync held: lists the rows that need a decision, with the evidence in plain words and the possible answers.

import type { HeldRow } from '#src/ledger/decisions.ts'
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
  const sendings = row.sendings === 1 ? 'sent once' : `sent ${row.sendings} times`
  const shown = row.claimedItem
    ? `the report shows item ${row.claimedItem} (${row.reportStatus ?? 'no status'}${row.credentialId ? `, credential ${row.credentialId}` : ''})`
    : `${row.looks} complete scans of the report did not show it`
  return [
    `i${row.id}: row ${row.row} of ${row.source} (${row.pipeline}), held since ${row.since.toISOString()}`,
    `  because ${row.reason ?? 'its outcome is unknown'}`,
    `  evidence: ${sendings}; ${shown}`,
    `  Look the person up in the portal. \`credsync explain i${row.id}\` shows the whole history. Then one of:`,
    `    credsync resolve i${row.id} --sent      the service has this request: follow it, send nothing. If it does not, the row stays requested forever, and the person gets nothing`,
    `    credsync resolve i${row.id} --not-sent  the service does not have it: send it, as if for the first time. If it does, the person gets two credentials`,
  ]
}
