// credsync courses list and courses show: shows the courses of the service, or one of them in full.

import { type Cli, print, printJson, say } from '#src/cli/cli-context.ts'
import { type ExitCode, exitCode } from '#src/cli/exit-code.ts'
import { openServiceForReading } from '#src/cli/open-service-for-reading.ts'
import { tableLines } from '#src/cli/text/table.ts'
import { approvalText, auditText, enabledText } from '#src/extensions/courses/course-states.ts'
import { courseYaml } from '#src/extensions/courses/course-yaml.ts'
import { collectItems } from '#src/issuer/lists/walk-list.ts'

export interface CoursesOptions {
  config?: string
  json?: boolean
}

export async function coursesListCommand(cli: Cli, options: CoursesOptions): Promise<ExitCode> {
  await using reading = await openServiceForReading(cli, options)
  const { items, complete } = await collectItems(reading.issuer.listCourses())
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
    for (const line of tableLines(titles, rows)) print(cli, line)
  } else say(cli, 'The service shows no course.')
  if (complete) return exitCode.ok
  say(cli, 'The list is incomplete: the service announced more courses than it returned.')
  return exitCode.service
}

const titles = ['number', 'name', 'category', 'enabled', 'approval', 'audit', 'uuid']

/** What it prints is a course file for `courses update`. */
export async function coursesShowCommand(cli: Cli, course: string, options: CoursesOptions): Promise<ExitCode> {
  await using reading = await openServiceForReading(cli, options)
  const { uuid } = await reading.course(course)
  const detail = await reading.issuer.courseDetail(uuid)
  if (options.json) printJson(cli, detail)
  // Text from the service must not control a terminal; a file keeps every character.
  else if (cli.stdout.isTTY) print(cli, courseYaml(detail).trimEnd())
  else cli.stdout.write(courseYaml(detail))
  return exitCode.ok
}
