// Registers the commands about learning systems: which events they sent, and which outcomes were delivered to them.

import { type CommandRegistry, jsonOption } from '#src/cli/command-registry.ts'
import type { ExitCode } from '#src/cli/exit-code.ts'
import type { EventsOptions } from './events.ts'

export function registerLearningSystems({ cli, command, end, group }: CommandRegistry): void {
  const run = async (chosen: (commands: typeof import('./events.ts')) => Promise<ExitCode>) =>
    end(await chosen(await import('./events.ts')))
  group('Learning systems:')
  const events = command(
    'events',
    'what learning systems sent that was not understood, the status of each, and what was delivered to them: list (the default), show, replay, close, deliver',
  )
  events
    .command('list', { isDefault: true })
    .description('what was not understood, the status of each system, what is waiting, and what was delivered')
    .copyInheritedSettings(events)
    .option('--system <name>', 'only this system')
    .option(...jsonOption)
    .action((options: EventsOptions) => run(({ eventsCommand }) => eventsCommand(cli, options)))
  command('show', 'print one event as it was received, including personal data: nothing is masked', events)
    .argument('<id>', 'the id of the event, such as d7')
    .action((id: string, options: { config?: string }) =>
      run(({ eventsShowCommand }) => eventsShowCommand(cli, id, options)),
    )
  command(
    'replay',
    'process again the events that were not understood, put completions from refused runs into a new run, and read all learners of a system that is polled, not only at night; use this after a correction in the configuration or in the learning system',
    events,
  )
    .requiredOption('--system <name>', 'the learning system (required)')
    .option(...jsonOption)
    .action((options: EventsOptions & { system: string }) =>
      run(({ eventsReplayCommand }) => eventsReplayCommand(cli, options)),
    )
  command(
    'close',
    'close events that were not understood and lead to no credential: they are not processed again, and what the sender wrote is deleted',
    events,
  )
    .argument('<ids...>', 'the ids of the events, such as d7 d9')
    .action((ids: string[], options: { config?: string }) =>
      run(({ eventsCloseCommand }) => eventsCloseCommand(cli, ids, options)),
    )
  command(
    'deliver',
    'deliver again the outcomes that could not be delivered or that somebody else overwrote (replacing the other value), and deliver immediately those that are waiting for a retry',
    events,
  )
    .option('--pipeline <name>', 'only this pipeline; without this option, --all is required and covers all pipelines')
    .option(
      '--all',
      'also deliver what a target never received: credentials that were issued before the target was added',
    )
    .option(...jsonOption)
    .action((options: EventsOptions & { pipeline?: string; all?: boolean }) =>
      run(({ eventsRedeliverCommand }) => eventsRedeliverCommand(cli, options)),
    )
}
