// credsync notices: lists what is open, since when, who was notified, and whether messages are delivered.

import { type Cli, print, printJson } from '#src/cli/cli-context.ts'
import { type ExitCode, exitCode } from '#src/cli/exit-code.ts'
import { openLedgerForReading } from '#src/cli/open-ledger-for-reading.ts'
import { indentedLine } from '#src/cli/text/terminal-text.ts'
import { isFailing, isTrouble, noticeDocument, noticeLines, recipientLines } from './notice-lines.ts'

export async function noticesCommand(cli: Cli, options: { json?: boolean }): Promise<ExitCode> {
  await using reading = await openLedgerForReading(cli)
  const notices = await reading.ledger.notices.shown()
  const recipients = await reading.ledger.notices.recipients()
  if (options.json) printJson(cli, { open: notices.map(noticeDocument), recipients })
  else {
    const lines = [...noticeLines(notices, cli.clock.now()), ...recipientLines(recipients)]
    if (notices.length === 0) lines.unshift('No notice is open.')
    for (const line of lines) print(cli, indentedLine(line))
  }
  const fails = recipients.some((recipient) => isFailing(recipient, cli.clock.now()))
  return notices.some(isTrouble) || fails ? exitCode.needsPerson : exitCode.ok
}
