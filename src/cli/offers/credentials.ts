// The commands about credentials that were issued.

import { type AdoptOptions, adoptCommand } from '../commands/adopt.ts'
import { type CorrectOptions, correctCommand } from '../commands/correct.ts'
import { type DownloadOptions, downloadCommand } from '../commands/download.ts'
import { type RevokeOptions, revokeCommand } from '../commands/revoke.ts'
import { untilInterrupted } from '../until-interrupted.ts'
import { by, config, json, type Offer } from './offer.ts'

const yes = ['--yes', 'do it without asking'] as const
const because = ['--reason <text>', 'why; kept with the credential'] as const

export function offerCredentials({ cli, command, end, group }: Offer): void {
  group('Credentials:')
  command('revoke', 'take credentials back: shows whose they are, asks, and keeps who, when and why')
    .argument('<ids...>', 'credential ids, or issuance ids such as i42')
    .option(...because)
    .option(...by)
    .option(...yes)
    .option(...json)
    .option(...config)
    .action(async (ids: string[], options: RevokeOptions) => end(await revokeCommand(cli, ids, options)))
  command(
    'correct',
    'revoke a credential and issue the corrected one in its place; without WHO, the changed rows that wait for that',
  )
    .argument('[who]', 'an issuance id (i42), or whatever `explain` takes, if only one credential is found by it')
    .option('--set <field=value>', 'what is right, by the field of the course; may be given several times', collect)
    .option('--from-row <run:row>', 'take what is right from a changed row of a source')
    .option('--wait', 'return once the new credential is issued, not only sent')
    .option(...because)
    .option(...by)
    .option(...yes)
    .option(...json)
    .option(...config)
    .action(async (who: string | undefined, options: CorrectOptions) => end(await correctCommand(cli, who, options)))
  command('download', 'fetch certificates into a folder; said again, it fetches what is missing there')
    .argument('<ids...>', 'credential ids, entity uuids, or issuance ids such as i42')
    .requiredOption('--to <dir>', 'where to; its last level is made if it is missing (required)')
    .option(...json)
    .option(...config)
    .action(async (ids: string[], options: DownloadOptions) =>
      end(await untilInterrupted(cli, downloadCommand(cli, ids, options))),
    )
  command(
    'adopt',
    'take what the report already holds for a course into the ledger, so that a list issues nobody twice',
  )
    .requiredOption('--pipeline <name>', 'whose course, and whose rule of who is who (required)')
    .option('--certificate <name>', 'what the report calls the course; without it, the names that there are')
    .option('--plain-numbers', 'the report shows contact numbers without their dial code')
    .option('--other-name', 'with --yes: adopt although the course itself has another name than --certificate')
    .option('--dry-run', 'show what would be adopted, and write nothing')
    .option(...yes)
    .option(...json)
    .option(...config)
    .action(async (options: AdoptOptions) => end(await adoptCommand(cli, options)))
}

function collect(value: string, before: string[] = []): string[] {
  return [...before, value]
}
