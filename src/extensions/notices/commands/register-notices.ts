// Registers the commands about notices: what is open, who was notified of it, and a message to see whether it arrives.

import { type CommandRegistry, jsonOption } from '#src/cli/command-registry.ts'

export function registerNotices({ command, group, run }: CommandRegistry): void {
  group('Notices:')
  command('notices', 'what somebody must know or do now, since when, who was notified, and what could not be delivered')
    .option(...jsonOption)
    .action(run(async () => (await import('./notices.ts')).noticesCommand))
  command('notify', 'send a test message to a recipient of the configuration')
    .requiredOption('--test <name>', 'the recipient, by its name in notify.to (required)')
    .action(run(async () => (await import('./notify.ts')).notifyCommand))
}
