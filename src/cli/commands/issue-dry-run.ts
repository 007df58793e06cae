// credsync issue FILE --dry-run: reads and checks everything, but changes nothing in the service and no rows in the
// ledger.

import type { App } from '#src/app/app.ts'
import { dryRunFile } from '#src/issuing/intake/dry-run-file.ts'
import { type Cli, printJson, say } from '../cli-context.ts'
import { type ExitCode, exitCode } from '../exit-code.ts'
import { dryRunLines } from '../text/dry-run-lines.ts'
import { indentedLine } from '../text/terminal-text.ts'

export async function dryRunIssue(
  cli: Cli,
  app: App,
  path: string,
  options: { pipeline: string; json?: boolean },
): Promise<ExitCode> {
  const { document } = await dryRunFile(app, { pipeline: options.pipeline, location: path })
  if (options.json) printJson(cli, document)
  for (const line of dryRunLines(document)) say(cli, indentedLine(line))
  return document.invalid > 0 || document.brake || document.reportShows ? exitCode.needsPerson : exitCode.ok
}
