// credsync held: lists the rows and revocations that need a decision, with the evidence in plain words and the possible
// answers.

import { appFor, type Cli, print, printJson, settingsFor } from '#src/cli/cli-context.ts'
import { type ExitCode, exitCode } from '#src/cli/exit-code.ts'
import { indentedLine } from '#src/cli/text/terminal-text.ts'
import { heldAnswers, heldBecause, heldEvidence } from '#src/issuing/descriptions/describe-held-row.ts'
import { whyToDecide } from '#src/issuing/descriptions/revocation-status.ts'
import type { RevocationToDecide } from '#src/ledger/revocations/revocation-targets.ts'
import type { HeldRow } from '#src/ledger/rows-to-decide.ts'

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

/** Makes the lines of `credsync held` for a row. Pure. */
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

/** Makes the lines of `credsync held` for a revocation. Pure. */
export function toDecideLines(row: RevocationToDecide): string[] {
  const who = row.issuanceId === null ? row.credentialId : `i${row.issuanceId}`
  return [
    `revocation of ${row.credentialId}${row.issuanceId === null ? '' : ` (i${row.issuanceId})`}, requested by ${row.by} at ${row.since.toISOString()}${row.why ? `: ${row.why}` : ''}`,
    `  because ${whyToDecide(row)}`,
    ...(row.corrects
      ? ['  it is the first step of a correction: the new credential is issued only after this one is revoked']
      : []),
    '  Look the credential up in the portal. Then, if it should still be revoked:',
    `    credsync revoke ${who}${row.corrects ? '      revokes it again, and continues the correction' : ''}`,
  ]
}
