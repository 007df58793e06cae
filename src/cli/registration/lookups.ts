// Registers the read-only commands about the service: its lists, a course's fields and samples, and its credential
// report.

import { type CommandRegistry, jsonOption } from '../command-registry.ts'
import { serviceLists } from '../service-lists.ts'

const courseWords = "a course's uuid, number or exact name, or the name of a pipeline"

const searchKeys = Object.entries(serviceLists)
  .map(
    ([name, { keys }]) =>
      `  ${name.padEnd(22)}${keys.length > 0 ? keys.join(' or ') : 'filtered by credsync, by every column shown'}`,
  )
  .join('\n')

export function registerLookups({ command, group, runBriefly }: CommandRegistry): void {
  group('The service:')
  command('lists', 'a complete reference list of the service: the names and uuids that courses and invitations use')
    .argument('<list>', Object.keys(serviceLists).join(', '))
    .option('--search <text>', 'only matching items; the end of --help names the keys')
    .option('--course <course>', `the course whose mail templates are listed: ${courseWords}`)
    .option('--certification-body <body>', 'the uuid of the certification body whose sponsors or signatures are listed')
    .option(...jsonOption)
    .addHelpText(
      'after',
      `\n--search uses these keys of the service; how it compares is not documented:\n${searchKeys}`,
    )
    .action(runBriefly(async () => (await import('../commands/lists.ts')).listsCommand))
  command('fields', 'the fields that a course requires for each recipient, as a table or as an empty source file')
    .argument('<course>', courseWords)
    .option('--template <format>', 'write an empty source file: csv, or xlsx with the rules of each column')
    .option('--to <file>', 'the file to write (default: COURSE.recipients.csv or .xlsx)')
    .option('--force', 'replace an existing file')
    .option(...jsonOption)
    .action(runBriefly(async () => (await import('../commands/fields.ts')).fieldsCommand))
  command('sample', "save the service's sample for a course, unchanged")
    .argument('<what>', 'sheet (a workbook for recipients) or data (a workbook with images)')
    .argument('<course>', courseWords)
    .option(
      '--to <file>',
      'the file to write (default: COURSE.sample-sheet or COURSE.sample-data, with the extension of the download)',
    )
    .option('--force', 'replace an existing file')
    .action(runBriefly(async () => (await import('../commands/sample.ts')).sampleCommand))
  command('report', "search the service's credential report; newest first")
    .option('--certificate <name>', 'certificate_name')
    .option('--name <name>', "the recipient's name")
    .option(
      '--status <status>',
      'a status number of the service (1 to 8) or a label, such as completed; separate several with commas',
    )
    .option('--email <address>', 'email_')
    .option('--contact <number>', 'contact_number')
    .option('--batch <name>', 'batch_name')
    .option('--credential-id <id>', 'credential_id')
    .option('--reg-no <text>', 'reg_no')
    .option('--uid <text>', 'uid')
    .option('--cert-no <text>', 'cert_no')
    .option('--unique-no <text>', 'unique_no')
    .option('--membership-id <text>', 'membership_id')
    .option(
      '--requested <range>',
      'FROM..TO, each YYYY-MM-DD; either side may be empty, and a single date means that day',
    )
    .option('--issued <range>', 'FROM..TO, like --requested, for the day of issue')
    .option('--valid-till <date>', 'YYYY-MM-DD')
    .option('--limit <n>', 'the maximum number of items, or all (default: 100)')
    .option(...jsonOption)
    .addHelpText(
      'after',
      '\nHow the service compares each key is not documented. Links to certificates are valid for three minutes and are shown in --json only.',
    )
    .action(runBriefly(async () => (await import('../commands/report.ts')).reportCommand))
}
