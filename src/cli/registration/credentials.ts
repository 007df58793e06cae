// Registers the commands about issued credentials.

import type { DownloadOptions } from '#src/extensions/certificates/commands/download.ts'
import type { ExportOptions } from '#src/extensions/privacy/commands/export.ts'
import type { ForgetOptions } from '#src/extensions/privacy/commands/forget.ts'
import type { AdoptOptions } from '../commands/adopt.ts'
import type { CorrectOptions } from '../commands/correct.ts'
import type { RevokeOptions } from '../commands/revoke.ts'
import { untilInterrupted } from '../until-interrupted.ts'
import { byOption, type CommandRegistry, jsonOption } from './register.ts'

const yesOption = ['--yes', 'do not ask for confirmation'] as const
const reasonOption = ['--reason <text>', 'the reason; stored with the credential'] as const

export function registerCredentials({ cli, command, end, group }: CommandRegistry): void {
  group('Credentials:')
  command('revoke', 'revoke credentials: shows whose they are, asks for confirmation, and records who, when and why')
    .argument('<ids...>', 'credential ids, or issuance ids such as i42')
    .option(...reasonOption)
    .option(...byOption)
    .option(...yesOption)
    .option(...jsonOption)
    .action(async (ids: string[], options: RevokeOptions) => {
      const { revokeCommand } = await import('../commands/revoke.ts')
      end(await revokeCommand(cli, ids, options))
    })
  command(
    'correct',
    'revoke a credential and issue the corrected one in its place; without WHO, lists the changed rows that are waiting for a correction',
  )
    .argument('[who]', 'an issuance id (i42), or anything that `explain` accepts, if it matches only one credential')
    .option('--set <field=value>', 'the correct value of a field of the course; may be given several times', collect)
    .option('--from-row <run:row>', 'take the correct values from a changed row of a source')
    .option('--wait', 'return once the new credential is issued, not only sent')
    .option(...reasonOption)
    .option(...byOption)
    .option(...yesOption)
    .option(...jsonOption)
    .action(async (who: string | undefined, options: CorrectOptions) => {
      const { correctCommand } = await import('../commands/correct.ts')
      end(await correctCommand(cli, who, options))
    })
  command('download', 'download certificates into a folder; run it again to download what is missing there')
    .argument('<ids...>', 'credential ids, entity uuids, or issuance ids such as i42')
    .requiredOption('--to <dir>', 'the folder; created if only its last level is missing (required)')
    .option(...jsonOption)
    .action(async (ids: string[], options: DownloadOptions) => {
      const { downloadCommand } = await import('#src/extensions/certificates/commands/download.ts')
      end(await untilInterrupted(cli, downloadCommand(cli, ids, options)))
    })
  command('export', 'everything that is held of one person: a page that explains it, JSON, and their files')
    .argument('<who>', 'anything that `explain` accepts, or RUN:ROW for a row that is invalid or was skipped')
    .requiredOption('--to <dir>', 'the folder; it must be new or empty (required)')
    .option(...jsonOption)
    .action(async (who: string, options: ExportOptions) => {
      const { exportCommand } = await import('#src/extensions/privacy/commands/export.ts')
      end(await untilInterrupted(cli, exportCommand(cli, who, options)))
    })
  command(
    'forget',
    'delete the data of people: shows what would go, asks for confirmation, and lets the worker delete it',
  )
    .argument('[who...]', 'anything that `explain` accepts, or RUN:ROW for a row that is invalid or was skipped')
    .option('--from <file>', 'a file with one WHO in each line')
    .option('--reason <text>', 'the reason, without the name of the person; stored with the erasure (required)')
    .option('--revoke', 'revoke their credentials first')
    .option('--release', 'delete the keyed hashes as well: a later list issues them again')
    .option('--replay', 'request again the erasures that a restored ledger has lost')
    .option('--dry-run', 'show what would go, and write nothing')
    .option(
      '--rewrite',
      'nobody is forgotten; the tables are rewritten, while no worker runs, so that no old page is left',
    )
    .option(...byOption)
    .option(...yesOption)
    .option(...jsonOption)
    .action(async (whos: string[], options: ForgetOptions & { rewrite?: boolean }) => {
      if (options.rewrite) {
        const { rewriteTablesCommand } = await import('#src/extensions/privacy/commands/rewrite-tables.ts')
        return end(await rewriteTablesCommand(cli, options))
      }
      const { forgetCommand } = await import('#src/extensions/privacy/commands/forget.ts')
      end(await untilInterrupted(cli, forgetCommand(cli, whos, options)))
    })
  command('erasures', 'who was forgotten when, by whom and why, without names; and what is still open')
    .option(...jsonOption)
    .action(async (options: { json?: boolean }) => {
      const { erasuresCommand } = await import('#src/extensions/privacy/commands/erasures.ts')
      end(await erasuresCommand(cli, options))
    })
  command(
    'adopt',
    'import the credentials that the report already shows for a course into the ledger, so that no credential is issued twice',
  )
    .requiredOption('--pipeline <name>', 'the pipeline whose course and identity rule apply (required)')
    .option(
      '--certificate <name>',
      'what the report calls the course (default: its own name, if the report has it; otherwise the names are listed)',
    )
    .option('--plain-numbers', 'the report shows contact numbers without their dial code')
    .option('--other-name', 'with --yes: adopt although the name of the course differs from --certificate')
    .option('--dry-run', 'show what would be adopted, and write nothing')
    .option(...yesOption)
    .option(...jsonOption)
    .action(async (options: AdoptOptions) => {
      const { adoptCommand } = await import('../commands/adopt.ts')
      end(await adoptCommand(cli, options))
    })
}

function collect(value: string, before: string[] = []): string[] {
  return [...before, value]
}
