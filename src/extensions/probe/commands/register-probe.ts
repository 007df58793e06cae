// Registers the command that probes a course in a development environment.

import { type CommandRegistry, jsonOption } from '#src/cli/command-registry.ts'
import type { ProbeOptions } from './probe.ts'

export function registerProbe({ cli, command, end, group }: CommandRegistry): void {
  group('Experiments:')
  command(
    'probe',
    'find out what the service does not document about a course, with a few test recipients; development environment only',
  )
    .requiredOption('--pipeline <name>', 'the pipeline whose course is probed (required)')
    .option('--timeout <duration>', 'the longest time to wait for the report', '10m')
    .option(...jsonOption)
    .action(async (options: ProbeOptions) => {
      const { probeCommand } = await import('./probe.ts')
      end(await probeCommand(cli, options))
    })
}
