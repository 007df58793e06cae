// Registers the commands about issued credentials.

import { byOption, type CommandRegistry, jsonOption, yesOption } from '../command-registry.ts'

const reasonOption = ['--reason <text>', 'the reason; stored with the credential'] as const

export function registerCredentials({ command, group, run }: CommandRegistry): void {
  group('Credentials:')
  command('revoke', 'revoke credentials: shows whose they are, asks for confirmation, and records who, when and why')
    .argument('<ids...>', 'credential ids, or issuance ids such as i42')
    .option(...reasonOption)
    .option(...byOption)
    .option(...yesOption)
    .option(...jsonOption)
    .action(run(async () => (await import('../commands/revoke.ts')).revokeCommand))
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
    .action(run(async () => (await import('../commands/correct.ts')).correctCommand))
  command(
    'adopt',
    'import the credentials that the report already shows for a course into the ledger, so that no credential is issued twice',
  )
    .requiredOption('--pipeline <name>', 'the pipeline whose course and identity rule apply (required)')
    .option(
      '--certificate <name>',
      'what the report calls the course (default: the name that the ledger has seen; without one, the names are listed)',
    )
    .option('--plain-numbers', 'the report shows contact numbers without their dial code')
    .option('--other-name', 'with --yes: adopt although the name of the course differs from --certificate')
    .option('--dry-run', 'show what would be adopted, and write nothing')
    .option(...yesOption)
    .option(...jsonOption)
    .action(run(async () => (await import('../commands/adopt.ts')).adoptCommand))
}

function collect(value: string, before: string[] = []): string[] {
  return [...before, value]
}
