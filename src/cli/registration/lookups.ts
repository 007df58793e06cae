// Registers the commands that only read from the service: its lists, and the fields of a course.

import { type CommandRegistry, jsonOption } from '../command-registry.ts'
import { serviceLists } from '../service-lists.ts'

const courseNames = "a course's uuid, number or exact name, or the name of a pipeline"

export function registerLookups({ command, group, runBriefly }: CommandRegistry): void {
  group('The service:')
  command('lists', 'a complete reference list of the service: the names and uuids that courses and invitations use')
    .argument('<list>', Object.keys(serviceLists).join(', '))
    .option('--search <text>', 'only matching items; the end of --help names the keys')
    .option('--course <course>', `the course whose mail templates are listed: ${courseNames}`)
    .option('--certification-body <body>', 'the uuid of the certification body whose sponsors or signatures are listed')
    .option(...jsonOption)
    .action(runBriefly(async () => (await import('../commands/lists.ts')).listsCommand))
  command('fields', 'the fields that a course requires for each recipient, as a table or as an empty source file')
    .argument('<course>', courseNames)
    .option('--template <format>', 'write an empty source file: csv, or xlsx with the rules of each column')
    .option('--to <file>', 'the file to write (default: COURSE.recipients.csv or .xlsx)')
    .option('--force', 'replace an existing file')
    .option(...jsonOption)
    .action(runBriefly(async () => (await import('../commands/fields.ts')).fieldsCommand))
}
