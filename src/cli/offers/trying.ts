// The commands for trying things: the demo, the sandbox, and the probe of a development environment.

import { demoCommand } from '../commands/demo.ts'
import { demoLmsCommand } from '../commands/demo-lms.ts'
import { type ProbeOptions, probeCommand } from '../commands/probe.ts'
import { sandboxCommand } from '../commands/sandbox.ts'
import { config, json, type Offer } from './offer.ts'

export function offerTrying({ cli, command, end, group }: Offer): void {
  group('For trying things:')
  command('demo', 'the whole main job with nothing configured, against the built-in sandbox')
    .option(
      '--lms',
      'from a learning system instead of a file: a sandbox of Moodle reports completions, and shows the credentials',
    )
    .option(...json)
    .action(async ({ lms, ...options }: { lms?: boolean; json?: boolean }) =>
      end(await (lms ? demoLmsCommand : demoCommand)(cli, options)),
    )
  command(
    'probe',
    'finds out what the service leaves unsaid about a course, with a few throwaway recipients: development environment only',
  )
    .requiredOption('--pipeline <name>', 'whose course is probed (required)')
    .option('--timeout <duration>', 'how long to wait for the report at most', '10m')
    .option(...json)
    .option(...config)
    .action(async (options: ProbeOptions) => end(await probeCommand(cli, options)))
  command(
    'sandbox',
    'the built-in sandbox of the service, for trying things: addresses that begin with reject., fail. or hold. end so',
  )
    .option('--port <n>', 'the port to listen on (default: any free one)')
    .action(async (options: { port?: string }) => end(await sandboxCommand(cli, options)))
}
