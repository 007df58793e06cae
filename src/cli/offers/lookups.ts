// The commands that only look: into the service's lists, a course's fields and samples, and its credential report.

import { type FieldsOptions, fieldsCommand } from '../commands/fields.ts'
import { type ListsOptions, listsCommand } from '../commands/lists.ts'
import { reportCommand } from '../commands/report.ts'
import { sampleCommand } from '../commands/sample.ts'
import { namedLists } from '../named-lists.ts'
import { untilInterrupted } from '../until-interrupted.ts'
import { config, json, type Offer } from './offer.ts'

const courseWords = "a course's uuid, number or exact name, or the name of a pipeline"

const searchKeys = Object.entries(namedLists)
  .map(
    ([name, { keys }]) =>
      `  ${name.padEnd(22)}${keys.length > 0 ? keys.join(' or ') : 'looked through here, every column shown'}`,
  )
  .join('\n')

export function offerLookups({ cli, command, end, group }: Offer): void {
  group('The service:')
  command('lists', 'a reference list of the service, whole: the names and uuids that courses and invitations take')
    .argument('<list>', Object.keys(namedLists).join(', '))
    .option('--search <text>', 'only what fits; see below')
    .option('--course <course>', `whose mail templates: ${courseWords}`)
    .option('--certification-body <body>', 'whose sponsors or signatures: its uuid or name')
    .option(...json)
    .option(...config)
    .addHelpText(
      'after',
      `\n--search asks the service by these keys of its own; how it compares is not documented:\n${searchKeys}`,
    )
    .action(async (name: string, options: ListsOptions) =>
      end(await untilInterrupted(cli, listsCommand(cli, name, options))),
    )
  command('fields', 'what a course wants to know of each recipient, as a table or as an empty source file')
    .argument('<course>', courseWords)
    .option('--template <format>', 'write an empty source file, csv or xlsx, with the rules of each column')
    .option('--to <file>', 'where to (default: COURSE.recipients.csv or .xlsx)')
    .option('--force', 'replace files that are there')
    .option(...json)
    .option(...config)
    .action(async (course: string, options: FieldsOptions) =>
      end(await untilInterrupted(cli, fieldsCommand(cli, course, options))),
    )
  command('sample', "the service's own sample of a course, kept as it comes")
    .argument('<what>', 'sheet (a workbook for recipients) or data (the same with images)')
    .argument('<course>', courseWords)
    .option(
      '--to <file>',
      'where to (default: COURSE.sample-sheet or COURSE.sample-data, with the ending of what comes)',
    )
    .option('--force', 'replace a file that is there')
    .option(...config)
    .action(async (what: string, course: string, options: Parameters<typeof sampleCommand>[3]) =>
      end(await untilInterrupted(cli, sampleCommand(cli, what, course, options))),
    )
  command('report', "the service's own credential report, searched; newest first")
    .option('--certificate <name>', 'certificate_name')
    .option('--name <name>', "the recipient's name")
    .option('--status <status>', 'a number of the service (1 to 8) or a label, such as completed; several with commas')
    .option('--email <address>', 'email_')
    .option('--contact <number>', 'contact_number')
    .option('--batch <name>', 'batch_name')
    .option('--credential-id <id>', 'credential_id')
    .option('--reg-no <text>', 'reg_no')
    .option('--uid <text>', 'uid')
    .option('--cert-no <text>', 'cert_no')
    .option('--unique-no <text>', 'unique_no')
    .option('--membership-id <text>', 'membership_id')
    .option('--requested <range>', 'FROM..TO, each YYYY-MM-DD; one side may be empty, and one day alone is that day')
    .option('--issued <range>', 'the same for the day of issue')
    .option('--valid-till <date>', 'YYYY-MM-DD')
    .option('--limit <n>', 'how many at most, or all (default: 100)')
    .option(...json)
    .option(...config)
    .addHelpText(
      'after',
      '\nHow the service compares each key is not documented. Links to certificates live three minutes and stand in --json only.',
    )
    .action(async (options: Parameters<typeof reportCommand>[1]) =>
      end(await untilInterrupted(cli, reportCommand(cli, options))),
    )
}
