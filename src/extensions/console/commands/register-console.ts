// Registers the commands that say who may sign in to the console.

import { byOption, type CommandRegistry, jsonOption } from '#src/cli/command-registry.ts'
import type { AddUserOptions } from './console-user.ts'

export function registerConsole({ cli, command, end, group }: CommandRegistry): void {
  group('The console:')
  const pages = command('console', 'who may sign in to the console: user add, user list, user remove, sign-out')
  const user = command('user', 'local users: add, list, remove', pages)
  command(
    'add',
    'let somebody sign in, or give somebody another role: prints a link that is valid once, for an hour',
    user,
  )
    .argument('<name>', 'the name with which the person signs in, and that the ledger records')
    .requiredOption(
      '--role <role>',
      'viewer (no names), registrar (its own pipelines) or operator (everything) (required)',
    )
    .option(
      '--pipelines <names>',
      'the only pipelines that the person sees, separated by commas; a registrar needs some',
    )
    .option(...byOption)
    .option(...jsonOption)
    .action(async (name: string, options: AddUserOptions) => {
      const { addUserCommand } = await import('./console-user.ts')
      end(await addUserCommand(cli, name, options))
    })
  command('list', 'the local users, what each may do, and whether each has set a password', user)
    .option(...jsonOption)
    .action(async (options: { config?: string; json?: boolean }) => {
      const { listUsersCommand } = await import('./console-user.ts')
      end(await listUsersCommand(cli, options))
    })
  command('remove', 'let somebody no longer sign in, and end the sessions of that person', user)
    .argument('<name>', 'the name')
    .action(async (name: string, options: { config?: string }) => {
      const { removeUserCommand } = await import('./console-user.ts')
      end(await removeUserCommand(cli, name, options))
    })
  command('sign-out', 'end all sessions of somebody, who may sign in again', pages)
    .argument('<name>', 'the name, as the log of the console shows it')
    .option(...byOption)
    .action(async (name: string, options: { config?: string; by?: string }) => {
      const { signOutCommand } = await import('./console-user.ts')
      end(await signOutCommand(cli, name, options))
    })
}
