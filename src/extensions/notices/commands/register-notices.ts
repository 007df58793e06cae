// Registers the commands about notices: what is open, who was notified of it, and a message to see whether it arrives.

import { type CommandRegistry, jsonOption } from '#src/cli/command-registry.ts'

export function registerNotices({ cli, command, end, group }: CommandRegistry): void {
  group('Notices:')
  command('notices', 'what somebody must know or do now, since when, who was notified, and what could not be delivered')
    .option(...jsonOption)
    .action(async (options: { json?: boolean }) => {
      const { noticesCommand } = await import('./notices.ts')
      end(await noticesCommand(cli, options))
    })
  command('notify', 'send a test message to a recipient of the configuration')
    .requiredOption('--test <name>', 'the recipient, by its name in notify.to (required)')
    .action(async (options: { config?: string; test: string }) => {
      const { notifyCommand } = await import('./notify.ts')
      end(await notifyCommand(cli, options))
    })
}
