// Registers the commands for experiments: the demo and the sandbox.

import { type CommandRegistry, jsonOption } from '../command-registry.ts'
import { UsageError } from '../exit-code.ts'

export function registerExperiments({ cli, command, end, group }: CommandRegistry): void {
  group('Experiments:')
  command('demo', 'run the main workflow without any configuration, against the built-in sandbox')
    .option(
      '--lms [system]',
      'use a learning system instead of a file: a sandbox of moodle (the default) or canvas reports completions, and shows the credentials',
    )
    .option('--console', 'keep the console open afterwards on what the demo has issued, until Ctrl-C')
    .option(...jsonOption)
    .action(async ({ lms, ...options }: { lms?: string | true; json?: boolean; console?: boolean }) => {
      if (lms && options.console) throw new UsageError('Use --lms or --console, not both.')
      const { demoLmsCommand } = await import('#src/extensions/lms/commands/demo-lms.ts')
      if (lms) return end(await demoLmsCommand(cli, { ...options, lms }))
      const { demoCommand } = await import('../commands/demo.ts')
      end(await demoCommand(cli, options))
    })
  command(
    'sandbox',
    'run the built-in sandbox of the service: recipients whose addresses begin with reject., fail. or hold. end in that state',
  )
    .option('--port <n>', 'the port to listen on (default: any free one)')
    .action(async (options: { port?: string }) => {
      const { sandboxCommand } = await import('../commands/sandbox.ts')
      end(await sandboxCommand(cli, options))
    })
}
