// Registers the commands about notices: what is open, who was notified of it, and a message to see whether it arrives.

import { noticesCommand } from '../commands/notices.ts'
import { notifyCommand } from '../commands/notify.ts'
import { type CommandRegistry, jsonOption } from './register.ts'

export function registerNotices({ cli, command, end, group }: CommandRegistry): void {
  group('Notices:')
  command('notices', 'what somebody must know or do now, since when, who was notified, and what could not be delivered')
    .option(...jsonOption)
    .action(async (options: { json?: boolean }) => end(await noticesCommand(cli, options)))
  command('notify', 'send a test message to a recipient of the configuration')
    .requiredOption('--test <name>', 'the recipient, by its name in notify.to (required)')
    .action(async (options: { config?: string; test: string }) => end(await notifyCommand(cli, options)))
}
