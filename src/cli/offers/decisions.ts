// The commands by which a person decides: about rows, and about runs.

import { approveCommand, type BrakeOptions, rejectCommand } from '../commands/brake.ts'
import { resolveCommand, retryCommand } from '../commands/decide.ts'
import { heldCommand } from '../commands/held.ts'
import { by, config, json, type Offer, reason, why } from './offer.ts'

export function offerDecisions({ cli, command, end, group }: Offer): void {
  group('What a person decides:')
  command('held', 'the rows that need a decision, with the evidence and the answers there are')
    .option(...json)
    .option(...config)
    .action(async (options: { json?: boolean; config?: string }) => end(await heldCommand(cli, options)))
  command('resolve', 'decide held rows: the service has the request, or it does not')
    .argument('<ids...>', 'issuance ids, such as i42')
    .option('--sent', 'the service has it: follow it in the report, send nothing')
    .option('--not-sent', 'the service does not have it: send it, as if for the first time')
    .option(...by)
    .option(...why)
    .option(...json)
    .option(...config)
    .action(async (ids: string[], options: Parameters<typeof resolveCommand>[2]) =>
      end(await resolveCommand(cli, ids, options)),
    )
  command('retry', 'send failed rows again')
    .argument('[ids...]', 'issuance ids, such as i42')
    .option('--run <id>', 'every failed row of a run, by its id or the first eight characters')
    .option(...by)
    .option(...why)
    .option(...json)
    .option(...config)
    .action(async (ids: string[], options: Parameters<typeof retryCommand>[2]) =>
      end(await retryCommand(cli, ids, options)),
    )
  command('approve', 'let a braked run go: it is read again and issued, whatever its size')
    .argument('<run>', 'its id, or the first eight characters, which file names carry')
    .option(...reason)
    .option(...by)
    .option(...json)
    .option(...config)
    .action(async (run: string, options: BrakeOptions) => end(await approveCommand(cli, run, options)))
  command('reject', 'refuse a braked run: nothing of it is issued')
    .argument('<run>', 'its id, or the first eight characters, which file names carry')
    .option(...reason)
    .option(...by)
    .option(...json)
    .option(...config)
    .action(async (run: string, options: BrakeOptions) => end(await rejectCommand(cli, run, options)))
}
