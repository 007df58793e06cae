// credsync erasures: lists what was forgotten, when, by whom and why, what is still open, and what is left elsewhere;
// never a person.

import { type Cli, print, printJson } from '#src/cli/cli-context.ts'
import { type ExitCode, exitCode } from '#src/cli/exit-code.ts'
import { openLedgerForReading } from '#src/cli/open-ledger-for-reading.ts'
import { indentedLine } from '#src/cli/text/terminal-text.ts'
import { deliveredOutcomeLines, erasureLines, sourceFileLines } from './erasure-lines.ts'

export async function erasuresCommand(cli: Cli, options: { json?: boolean }): Promise<ExitCode> {
  await using reading = await openLedgerForReading(cli)
  const { erasures: store } = reading.ledger
  const erasures = []
  for (const erasure of await store.list()) {
    const content = await store.content(erasure.id)
    const deliveredOutcomes = await store.deliveredOutcomes(content.issuances)
    erasures.push({ ...erasure, deliveredOutcomes, sourceFiles: await store.sourceFiles(content) })
  }
  if (options.json) printJson(cli, { erasures })
  else if (erasures.length === 0) print(cli, 'Nobody was forgotten.')
  for (const erasure of options.json ? [] : erasures) {
    const { deliveredOutcomes, sourceFiles } = erasure
    const notOurs = [...deliveredOutcomeLines(deliveredOutcomes), ...sourceFileLines(sourceFiles, 'unread')]
    const lines = [...erasureLines(erasure), ...notOurs.map((line) => `  ${line}`)]
    for (const line of lines) print(cli, indentedLine(line))
  }
  return exitCode.ok
}
