// credsync courses list and courses show: shows the courses of the service, or one of them in full.

import { type Cli, print, printJson, say, tableWidthOf } from '#src/cli/cli-context.ts'
import { type ExitCode, exitCode, UsageError } from '#src/cli/exit-code.ts'
import { openServiceForReading } from '#src/cli/open-service-for-reading.ts'
import { tableLines } from '#src/cli/text/table.ts'
import { approvalText, auditText, enabledText } from '#src/extensions/courses/course-states.ts'
import { courseYaml } from '#src/extensions/courses/course-yaml.ts'
import { collectItems } from '#src/issuer/lists/walk-list.ts'
import { coursePage } from './course-page.ts'

export interface CoursesOptions {
  config?: string
  json?: boolean
}

/**
 * Filters the list locally, because the service's documentation does not say which keys its course list can be searched
 * by.
 */
export async function coursesListCommand(cli: Cli, options: CoursesOptions & { search?: string }): Promise<ExitCode> {
  await using reading = await openServiceForReading(cli, options)
  const { items: all, complete } = await collectItems(reading.issuer.listCourses())
  const wanted = folded(options.search ?? '')
  const items = all.filter(({ course_name, course_number, course_category }) =>
    [course_name, course_number, course_category].some((text) => folded(text ?? '').includes(wanted)),
  )
  if (options.json) printJson(cli, { complete, courses: items })
  else if (items.length > 0) {
    const rows = items.map((item) => [
      item.course_number ?? '',
      item.course_name ?? '',
      item.course_category ?? '',
      enabledText(item.is_active),
      approvalText(item.approval_status_id),
      auditText(item.audit_status_id),
      item.course_uuid ?? '',
    ])
    for (const line of tableLines(columns, rows, tableWidthOf(cli))) print(cli, line)
  } else say(cli, options.search === undefined ? 'The service shows no course.' : 'No course was found.')
  if (complete) return exitCode.ok
  say(cli, 'The list is incomplete: the service announced more courses than it returned.')
  return exitCode.service
}

const columns = [
  { title: 'number', whole: true },
  ...['name', 'category', 'enabled', 'approval', 'audit'].map((title) => ({ title })),
  { title: 'uuid', whole: true },
]

const folded = (text: string) => text.normalize('NFKC').toLowerCase()

export async function coursesShowCommand(
  cli: Cli,
  course: string,
  options: CoursesOptions & { yaml?: boolean },
): Promise<ExitCode> {
  if (options.json && options.yaml) throw new UsageError('stdout holds one document: choose --json or --yaml.')
  await using reading = await openServiceForReading(cli, options)
  const { uuid } = await reading.course(course)
  const detail = await reading.issuer.courseDetail(uuid)
  if (options.json) printJson(cli, detail)
  else if (options.yaml) cli.stdout.write(courseYaml(detail))
  else for (const line of coursePage(detail)) print(cli, line)
  return exitCode.ok
}
