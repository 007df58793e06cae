// Registers the commands with which an operator decides about rows and runs.

import { byOption, type CommandRegistry, jsonOption, rowReasonOption, runReasonOption } from '../command-registry.ts'

export function registerDecisions({ command, group, run }: CommandRegistry): void {
  group('Decisions:')
  command('held', 'the rows that need a decision, with the evidence and the possible answers')
    .option(...jsonOption)
    .action(run(async () => (await import('../commands/held.ts')).heldCommand))
  command('resolve', 'decide held rows: the service has the request, or it does not')
    .argument('<ids...>', 'issuance ids, such as i42')
    .option('--sent', 'the service has the request: follow it in the report, and send nothing')
    .option('--not-sent', 'the service does not have the request: send it, as if for the first time')
    .option(...byOption)
    .option(...rowReasonOption)
    .option(...jsonOption)
    .action(run(async () => (await import('../commands/resolve-and-retry.ts')).resolveCommand))
  command('retry', 'send failed rows again')
    .argument('[ids...]', 'issuance ids, such as i42')
    .option('--run <id>', 'every failed row of a run, by its id or the first eight characters')
    .option(...byOption)
    .option(...rowReasonOption)
    .option(...jsonOption)
    .action(run(async () => (await import('../commands/resolve-and-retry.ts')).retryCommand))
  command('approve', 'release a braked run: it is read again and issued')
    .argument('<run>', 'the id of the run, or its first eight characters, which file names contain')
    .option(...runReasonOption)
    .option(...byOption)
    .option(...jsonOption)
    .action(run(async () => (await import('../commands/approve-and-reject.ts')).approveCommand))
  command('reject', 'refuse a braked run: none of it is issued')
    .argument('<run>', 'the id of the run, or its first eight characters, which file names contain')
    .option(...runReasonOption)
    .option(...byOption)
    .option(...jsonOption)
    .action(run(async () => (await import('../commands/approve-and-reject.ts')).rejectCommand))
  command(
    'trust-ledger',
    'allow sending again after the ledger has lost the record of calls, once `adopt` has restored what they issued',
  )
    .option('--reason <text>', 'why the ledger can be trusted; stored in the ledger (required)')
    .option(...byOption)
    .option('--yes', 'do not ask for confirmation')
    .option(...jsonOption)
    .action(run(async () => (await import('../commands/trust-ledger.ts')).trustLedgerCommand))
}
