// The commands about the courses of the service: seen, made, changed, switched.

import { type ChangeFileOptions, courseCreateCommand } from '../commands/course-create.ts'
import { courseEnableCommand, courseRemoveLogoCommand, type SwitchOptions } from '../commands/course-switch.ts'
import { courseUpdateCommand } from '../commands/course-update.ts'
import { coursesListCommand, coursesShowCommand } from '../commands/courses.ts'
import { config, json, type Offer } from './offer.ts'

const course = ['<course>', 'its uuid, number or exact name, or the name of a pipeline'] as const
const file = ['<file>', 'a course file, YAML or JSON (docs/courses.md)'] as const
const yes = ['--yes', 'do it without asking'] as const
const dryRun = ['--dry-run', 'show the request, and send nothing that changes anything'] as const

export function offerCourses({ cli, command, end, group }: Offer): void {
  group('The service:')
  const courses = command('courses', "the service's courses: list, show, create, update, enable, disable, remove-logo")
  command('list', 'every course, with its states', courses)
    .option('--search <text>', 'only those with this in their number, name or category')
    .option(...json)
    .option(...config)
    .action(async (options: Parameters<typeof coursesListCommand>[1]) => end(await coursesListCommand(cli, options)))
  command('show', 'one course in full', courses)
    .argument(...course)
    .option('--yaml', 'as a course file, for `courses update`')
    .option(...json)
    .option(...config)
    .action(async (which: string, options: Parameters<typeof coursesShowCommand>[2]) =>
      end(await coursesShowCommand(cli, which, options)),
    )
  command('create', 'make a course of a file', courses)
    .argument(...file)
    .option(...dryRun)
    .option(...yes)
    .option(...json)
    .option(...config)
    .action(async (path: string, options: ChangeFileOptions) => end(await courseCreateCommand(cli, path, options)))
  command('update', 'change what a file names, and keep the rest as it is', courses)
    .argument(...course)
    .argument(...file)
    .option(...dryRun)
    .option(...yes)
    .option(...json)
    .option(...config)
    .action(async (which: string, path: string, options: ChangeFileOptions) =>
      end(await courseUpdateCommand(cli, which, path, options)),
    )
  for (const name of ['enable', 'disable'] as const)
    command(name, name === 'enable' ? 'let a course issue' : 'keep a course from issuing', courses)
      .argument(...course)
      .option(...yes)
      .option(...json)
      .option(...config)
      .action(async (which: string, options: SwitchOptions) =>
        end(await courseEnableCommand(cli, which, name === 'enable', options)),
      )
  command('remove-logo', 'remove one of the two images of a course', courses)
    .argument(...course)
    .argument('<which>', 'square or rectangle')
    .option(...yes)
    .option(...json)
    .option(...config)
    .action(async (which: string, logo: string, options: SwitchOptions) =>
      end(await courseRemoveLogoCommand(cli, which, logo, options)),
    )
}
