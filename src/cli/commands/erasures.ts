// credsync erasures: lists what was forgotten, when, by whom and why, and what is still open; never a person.

import { type Cli, print, printJson } from '../cli-context.ts'
import { type ExitCode, exitCode } from '../exit-code.ts'
import { openLedgerForReading } from '../open-ledger-for-reading.ts'
import { erasureLines } from '../text/erasure-lines.ts'
import { indentedLine } from '../text/terminal-text.ts'

export async function erasuresCommand(cli: Cli, options: { json?: boolean }): Promise<ExitCode> {
  await using reading = await openLedgerForReading(cli)
  const erasures = await reading.ledger.erasures.list()
  if (options.json) printJson(cli, { erasures })
  else if (erasures.length === 0) print(cli, 'Nobody was forgotten.')
  else for (const erasure of erasures) for (const line of erasureLines(erasure)) print(cli, indentedLine(line))
  return exitCode.ok
}
