// Registers the commands about the courses of the service: list, show, create, update, enable, disable, remove-logo.

import { type CommandRegistry, jsonOption, yesOption } from '#src/cli/command-registry.ts'
import type { ChangeFileOptions } from './course-create.ts'
import type { CourseChangeOptions } from './course-enable-and-logo.ts'
import type { CoursesOptions } from './courses.ts'

const courseArgument = ['<course>', 'its uuid, number or exact name, or the name of a pipeline'] as const
const fileArgument = ['<file>', 'a course file, YAML or JSON (docs/courses.md)'] as const
const dryRunOption = ['--dry-run', 'show what would change, and send nothing'] as const

export function registerCourses({ cli, command, end, group }: CommandRegistry): void {
  group('The service:')
  const courses = command('courses', "the service's courses: list, show, create, update, enable, disable, remove-logo")
  command('list', 'every course, with its states', courses)
    .option(...jsonOption)
    .action(async (options: CoursesOptions) => {
      const { coursesListCommand } = await import('./courses.ts')
      end(await coursesListCommand(cli, options))
    })
  command('show', 'one course in full, as a file for `courses update`', courses)
    .argument(...courseArgument)
    .option(...jsonOption)
    .action(async (which: string, options: CoursesOptions) => {
      const { coursesShowCommand } = await import('./courses.ts')
      end(await coursesShowCommand(cli, which, options))
    })
  command('create', 'create a course from a file', courses)
    .argument(...fileArgument)
    .option(...dryRunOption)
    .option(...yesOption)
    .option(...jsonOption)
    .action(async (path: string, options: ChangeFileOptions) => {
      const { courseCreateCommand } = await import('./course-create.ts')
      end(await courseCreateCommand(cli, path, options))
    })
  command('update', 'change the fields named in a file, and leave the others unchanged', courses)
    .argument(...courseArgument)
    .argument(...fileArgument)
    .option(...dryRunOption)
    .option(...yesOption)
    .option(...jsonOption)
    .action(async (which: string, path: string, options: ChangeFileOptions) => {
      const { courseUpdateCommand } = await import('./course-update.ts')
      end(await courseUpdateCommand(cli, which, path, options))
    })
  for (const name of ['enable', 'disable'] as const)
    command(
      name,
      name === 'enable' ? 'allow a course to issue credentials' : 'prevent a course from issuing credentials',
      courses,
    )
      .argument(...courseArgument)
      .option(...yesOption)
      .option(...jsonOption)
      .action(async (which: string, options: CourseChangeOptions) => {
        const { courseEnableCommand } = await import('./course-enable-and-logo.ts')
        end(await courseEnableCommand(cli, which, name === 'enable', options))
      })
  command('remove-logo', 'remove one of the two images of a course', courses)
    .argument(...courseArgument)
    .argument('<which>', 'square or rectangle')
    .option(...yesOption)
    .option(...jsonOption)
    .action(async (which: string, logo: string, options: CourseChangeOptions) => {
      const { courseRemoveLogoCommand } = await import('./course-enable-and-logo.ts')
      end(await courseRemoveLogoCommand(cli, which, logo, options))
    })
}
