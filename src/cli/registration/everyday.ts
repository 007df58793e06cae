// Registers the everyday commands (issue, start, check, status, explain, reconcile) and those for experiments (demo,
// sandbox).

import { type CommandRegistry, jsonOption } from '#src/cli/command-registry.ts'
import { UsageError } from '#src/cli/exit-code.ts'

export function registerEveryday({ command, group, run }: CommandRegistry): void {
  group('Every day:')
  command(
    'issue',
    'issue the credentials for one file; returns once every row is sent, or with --wait once every row is final',
  )
    .argument('<file>', 'a CSV, XLSX or ZIP file')
    .requiredOption('--pipeline <name>', 'the pipeline to which the file belongs (required)')
    .option('--dry-run', 'read and check everything; changes nothing in the service and no rows in the ledger')
    .option('--wait', 'return once every row is final')
    .option('--timeout <duration>', 'the longest time to wait, such as 10m (default: no limit)')
    .option(...jsonOption)
    .action(run(async () => (await import('../commands/issue.ts')).issueCommand))
  command('start', 'run the worker until it is stopped')
    .option('--only <parts>', 'run only these parts: intake,issue,reconcile,write-back,archive,sweep,web,console')
    .action(run(async () => (await import('../commands/start.ts')).startCommand))
  command(
    'check',
    'report every fault in the configuration, then run live checks; if a configured template is wrong, lists those of the course; changes nothing in the service and no rows in the ledger',
  )
    .option(...jsonOption)
    .action(run(async () => (await import('../commands/check.ts')).checkCommand))
  command('status', 'the last 20 runs and their counts, or one run')
    .option('--run <id>', 'one run, by its id or the first eight characters')
    .option(...jsonOption)
    .action(run(async () => (await import('../commands/status.ts')).statusCommand))
  command('explain', 'everything that happened to one recipient or issuance, in order, with the evidence')
    .argument(
      '<who>',
      'an e-mail address, contact number, register number, credential id, number of a learner in the learning system, or issuance id (i42)',
    )
    .option(...jsonOption)
    .action(run(async () => (await import('../commands/explain.ts')).explainCommand))
  command('reconcile', 'read the credential report now, back to the oldest open row (reads nothing if no row is open)')
    .option('--once', 'make one pass and return (the default; `start` is the command that keeps running)')
    .option('--all', 'also check every issued credential for revocations that were made in the portal')
    .option(...jsonOption)
    .action(run(async () => (await import('../commands/reconcile.ts')).reconcileCommand))
}

export function registerExperiments({ cli, command, end, group, run }: CommandRegistry): void {
  group('Experiments:')
  command('demo', 'run the main workflow without any configuration, against the built-in sandbox')
    .option(
      '--lms',
      'use a learning system instead of a file: a sandbox of Moodle reports completions, and shows the credentials',
    )
    .option('--console', 'keep the console open afterwards on what the demo has issued, until Ctrl-C')
    .option(...jsonOption)
    .action(async ({ lms, ...options }: { lms?: boolean; json?: boolean; console?: boolean }) => {
      if (lms && options.console) throw new UsageError('Use --lms or --console, not both.')
      const { demoLmsCommand } = await import('#src/extensions/lms/commands/demo-lms.ts')
      if (lms) return end(await demoLmsCommand(cli, options))
      const { demoCommand } = await import('../commands/demo.ts')
      end(await demoCommand(cli, options))
    })
  command(
    'sandbox',
    'run the built-in sandbox of the service: recipients whose addresses begin with reject., fail. or hold. end in that state',
  )
    .option('--port <n>', 'the port to listen on (default: any free one)')
    .action(run(async () => (await import('../commands/sandbox.ts')).sandboxCommand))
}
