// The commands of every day: issue, run, look.

import { checkCommand } from '../commands/check.ts'
import { explainCommand } from '../commands/explain.ts'
import { type IssueOptions, issueCommand } from '../commands/issue.ts'
import { reconcileCommand } from '../commands/reconcile.ts'
import { startCommand } from '../commands/start.ts'
import { statusCommand } from '../commands/status.ts'
import { config, json, type Offer } from './offer.ts'

export function offerDaily({ cli, command, end, group }: Offer): void {
  group('Every day:')
  command('issue', 'issue one file, start to end: returns once every row is sent, or final with --wait')
    .argument('<file>', 'a CSV, XLSX or ZIP file')
    .requiredOption('--pipeline <name>', 'which pipeline of the configuration it belongs to (required)')
    .option('--dry-run', 'read and check everything; changes nothing at the service, and no row of the ledger')
    .option('--wait', 'return once every row is final')
    .option('--timeout <duration>', 'how long to wait at most, such as 10m (default: as long as it takes)')
    .option(...json)
    .option(...config)
    .action(async (file: string, options: IssueOptions) => end(await issueCommand(cli, file, options)))
  command('start', 'the long-running worker')
    .option('--only <parts>', 'only these: intake,issue,reconcile,write-back,archive,sweep,web')
    .option(...config)
    .action(async (options: { only?: string; config?: string }) => end(await startCommand(cli, options)))
  command(
    'check',
    'every fault of the configuration, then live checks; names the templates of a course when yours is wrong; changes nothing at the service, and no row of the ledger',
  )
    .option(...json)
    .option(...config)
    .action(async (options: { json?: boolean; config?: string }) => end(await checkCommand(cli, options)))
  command('status', 'the last 20 runs and their counts, or one run')
    .option('--run <id>', 'one run, by its id or the first eight characters')
    .option(...json)
    .action(async (options: { run?: string; json?: boolean }) => end(await statusCommand(cli, options)))
  command('explain', 'all that happened to one recipient or issuance, in order, with the evidence')
    .argument('<who>', 'an e-mail address, contact number, register number, or issuance id (i42)')
    .option(...json)
    .action(async (who: string, options: { json?: boolean }) => end(await explainCommand(cli, who, options)))
  command(
    'reconcile',
    'reads the credential report now, back to the oldest open row (nothing is read when nothing is open)',
  )
    .option('--once', 'one pass and return (this is what it does; `start` is the one that goes on)')
    .option(...json)
    .option(...config)
    .action(async (options: { json?: boolean; config?: string }) => end(await reconcileCommand(cli, options)))
}
