// credsync forget --rewrite: rewrites the tables, so that nothing of forgotten people is left in the database's pages.

import { type Cli, printJson, say } from '#src/cli/cli-context.ts'
import { confirm } from '#src/cli/confirm.ts'
import { type ExitCode, exitCode, UsageError } from '#src/cli/exit-code.ts'
import { openLedgerForReading } from '#src/cli/open-ledger-for-reading.ts'
import { rewriteTables } from '#src/extensions/privacy/ledger/privacy-stores.ts'
import { countOf } from '#src/issuing/results/run-summary.ts'

export interface RewriteOptions {
  yes?: boolean
  json?: boolean
}

export async function rewriteTablesCommand(cli: Cli, options: RewriteOptions): Promise<ExitCode> {
  await using reading = await openLedgerForReading(cli)
  const question =
    'Rewrite the tables? Nobody can use the ledger meanwhile, and it needs as much free space as its largest table.'
  if (!(await confirm(cli, question, options))) return exitCode.usage
  const done = await rewriteTables(reading.database)
  if (done.kind === 'workers') {
    const named = done.workers.map(({ environment, host, pid }) => `${environment}: process ${pid} on ${host}`)
    throw new UsageError(
      `${countOf(named.length, 'worker')} must be stopped first (${named.join('; ')}). Nothing was changed.`,
    )
  }
  say(
    cli,
    `${done.tables} tables are rewritten. Backups, replicas and the write-ahead log keep what they have (docs/privacy.md).`,
  )
  if (done.keptSamples.length > 0)
    say(
      cli,
      `The planner still has samples of ${done.keptSamples.join(', ')}, because something depends on these columns, such as a view. Drop it and run this again, or let a superuser delete their rows of pg_statistic.`,
    )
  if (options.json) printJson(cli, { tables: done.tables, keptSamples: done.keptSamples })
  return done.keptSamples.length > 0 ? exitCode.needsPerson : exitCode.ok
}
