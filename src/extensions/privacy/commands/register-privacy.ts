// Registers the commands about the data of people: what is held of somebody, and forgetting them.

import { byOption, type CommandRegistry, jsonOption, yesOption } from '#src/cli/command-registry.ts'
import { untilInterrupted } from '#src/cli/until-interrupted.ts'
import type { ExportOptions } from './export.ts'
import type { ForgetOptions } from './forget.ts'

const whoText =
  'an address, a number, a credential id, an issuance id such as i42, a learner as SYSTEM:NUMBER, or a row as RUN:ROW'

export function registerPrivacy({ cli, command, end, group }: CommandRegistry): void {
  group('Credentials:')
  command('export', 'everything that is held of one person: a page that explains it, JSON, and their files')
    .argument('<who>', whoText)
    .requiredOption('--to <dir>', 'the folder; it must be new or empty (required)')
    .option(...jsonOption)
    .action(async (who: string, options: ExportOptions) => {
      const { exportCommand } = await import('./export.ts')
      end(await untilInterrupted(cli, exportCommand(cli, who, options)))
    })
  command(
    'forget',
    'delete the data of people: shows what would go, asks for confirmation, and lets the worker delete it',
  )
    .argument('[who...]', whoText)
    .option('--from <file>', 'a file with one WHO in each line')
    .option('--reason <text>', 'the reason, without the name of the person; stored with the erasure (required)')
    .option('--revoke', 'revoke their credentials first')
    .option('--release', 'delete the keyed hashes as well: a later list issues them again')
    .option('--replay', 'request again the erasures that a restored ledger has lost')
    .option('--dry-run', 'show what would go, and write nothing')
    .option(...byOption)
    .option(...yesOption)
    .option(...jsonOption)
    .action(async (whos: string[], options: ForgetOptions) => {
      const { forgetCommand } = await import('./forget.ts')
      end(await untilInterrupted(cli, forgetCommand(cli, whos, options)))
    })
  command('erasures', 'who was forgotten when, by whom and why, without names; and what is still open')
    .option(...jsonOption)
    .action(async (options: { json?: boolean }) => {
      const { erasuresCommand } = await import('./erasures.ts')
      end(await erasuresCommand(cli, options))
    })
}
