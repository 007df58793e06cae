// Registers the commands with which an operator decides about rows and runs.

import { byOption, type CommandRegistry, jsonOption, rowReasonOption, runReasonOption } from '../command-registry.ts'
import type { BrakeOptions } from '../commands/brake.ts'
import type { resolveCommand, retryCommand } from '../commands/decide.ts'
import type { TrustOptions } from '../commands/trust-ledger.ts'

export function registerDecisions({ cli, command, end, group }: CommandRegistry): void {
  group('Decisions:')
  command('held', 'the rows that need a decision, with the evidence and the possible answers')
    .option(...jsonOption)
    .action(async (options: { json?: boolean; config?: string }) => {
      const { heldCommand } = await import('../commands/held.ts')
      end(await heldCommand(cli, options))
    })
  command('resolve', 'decide held rows: the service has the request, or it does not')
    .argument('<ids...>', 'issuance ids, such as i42')
    .option('--sent', 'the service has the request: follow it in the report, and send nothing')
    .option('--not-sent', 'the service does not have the request: send it, as if for the first time')
    .option(...byOption)
    .option(...rowReasonOption)
    .option(...jsonOption)
    .action(async (ids: string[], options: Parameters<typeof resolveCommand>[2]) => {
      const { resolveCommand } = await import('../commands/decide.ts')
      end(await resolveCommand(cli, ids, options))
    })
  command('retry', 'send failed rows again')
    .argument('[ids...]', 'issuance ids, such as i42')
    .option('--run <id>', 'every failed row of a run, by its id or the first eight characters')
    .option(...byOption)
    .option(...rowReasonOption)
    .option(...jsonOption)
    .action(async (ids: string[], options: Parameters<typeof retryCommand>[2]) => {
      const { retryCommand } = await import('../commands/decide.ts')
      end(await retryCommand(cli, ids, options))
    })
  command('approve', 'release a braked run: it is read again and issued')
    .argument('<run>', 'the id of the run, or its first eight characters, which file names contain')
    .option(...runReasonOption)
    .option(...byOption)
    .option(...jsonOption)
    .action(async (run: string, options: BrakeOptions) => {
      const { approveCommand } = await import('../commands/brake.ts')
      end(await approveCommand(cli, run, options))
    })
  command('reject', 'refuse a braked run: none of it is issued')
    .argument('<run>', 'the id of the run, or its first eight characters, which file names contain')
    .option(...runReasonOption)
    .option(...byOption)
    .option(...jsonOption)
    .action(async (run: string, options: BrakeOptions) => {
      const { rejectCommand } = await import('../commands/brake.ts')
      end(await rejectCommand(cli, run, options))
    })
  command(
    'trust-ledger',
    'allow sending again after the ledger has lost the record of calls, once `adopt` has restored what they issued',
  )
    .option('--reason <text>', 'why the ledger can be trusted; stored in the ledger (required)')
    .option(...byOption)
    .option('--yes', 'do not ask for confirmation')
    .option(...jsonOption)
    .action(async (options: TrustOptions) => {
      const { trustLedgerCommand } = await import('../commands/trust-ledger.ts')
      end(await trustLedgerCommand(cli, options))
    })
}
