// Registers the commands for experiments: the demo, the sandbox, and the probe of a development environment.

import type { ProbeOptions } from '#src/extensions/probe/commands/probe.ts'
import { UsageError } from '../exit-code.ts'
import { type CommandRegistry, jsonOption } from './register.ts'

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
      const { demoCommand } = await import('../commands/demo.ts')
      const { demoLmsCommand } = await import('#src/extensions/lms/commands/demo-lms.ts')
      end(await (lms ? demoLmsCommand(cli, { ...options, lms }) : demoCommand(cli, options)))
    })
  command(
    'probe',
    'find out what the service does not document about a course, with a few test recipients; development environment only',
  )
    .requiredOption('--pipeline <name>', 'the pipeline whose course is probed (required)')
    .option('--timeout <duration>', 'the longest time to wait for the report', '10m')
    .option(...jsonOption)
    .action(async (options: ProbeOptions) => {
      const { probeCommand } = await import('#src/extensions/probe/commands/probe.ts')
      end(await probeCommand(cli, options))
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
