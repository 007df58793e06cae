// The commands about learning systems: what they sent, and what they were told.

import {
  type EventsOptions,
  eventsCommand,
  eventsReplayCommand,
  eventsShowCommand,
  eventsTellCommand,
} from '../commands/events.ts'
import { config, json, type Offer } from './offer.ts'

export function offerLearning({ cli, command, end, group }: Offer): void {
  group('Learning systems:')
  const events = command(
    'events',
    'what learning systems sent and was not understood, what each stands at, and what was told to them: list (unless you name another), show, replay, tell',
  )
  events
    .command('list', { isDefault: true })
    .description('what was not understood, what each system stands at, what waits, and what was told')
    .copyInheritedSettings(events)
    .option('--system <name>', 'only this one')
    .option(...json)
    .option(...config)
    .action(async (options: EventsOptions) => end(await eventsCommand(cli, options)))
  command('show', 'print one delivery as it came, with the people in it: nothing is masked', events)
    .argument('<id>', 'its id, such as d7')
    .option(...config)
    .action(async (id: string, options: { config?: string }) => end(await eventsShowCommand(cli, id, options)))
  command(
    'replay',
    'judge what was not understood once more, and let completions of refused runs wait again: for when the configuration was mended',
    events,
  )
    .requiredOption('--system <name>', 'of which system (required)')
    .option(...json)
    .option(...config)
    .action(async (options: EventsOptions & { system: string }) => end(await eventsReplayCommand(cli, options)))
  command(
    'tell',
    'tell outcomes again that could not be told, or that others wrote over: ours is written over theirs',
    events,
  )
    .requiredOption('--pipeline <name>', 'of which pipeline (required)')
    .option(...json)
    .option(...config)
    .action(async (options: EventsOptions & { pipeline: string }) => end(await eventsTellCommand(cli, options)))
}
