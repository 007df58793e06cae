// credsync courses list and courses show: what courses the service has, and one of them in full.

import { approvalWords, auditWords, enabledWords } from '#src/courses/course-states.ts'
import { courseYaml } from '#src/courses/course-yaml.ts'
import { collectItems } from '#src/issuer/list.ts'
import { coursePage } from '../course-page.ts'
import { type ExitCode, exitCode, UsageError } from '../exit-code.ts'
import { readService } from '../service-reading.ts'
import { answer, answerJson, type Cli, say, widthOf } from '../surroundings.ts'
import { tableLines } from '../table.ts'

export interface CoursesOptions {
  config?: string
  json?: boolean
}

/** Searches here and not at the service: of its course list it is not documented which keys can be searched by. */
export async function coursesListCommand(cli: Cli, options: CoursesOptions & { search?: string }): Promise<ExitCode> {
  await using reading = await readService(cli, options)
  const { items: all, complete } = await collectItems(reading.issuer.listCourses())
  const wanted = folded(options.search ?? '')
  const items = all.filter(({ course_name, course_number, course_category }) =>
    [course_name, course_number, course_category].some((text) => folded(text ?? '').includes(wanted)),
  )
  if (options.json) answerJson(cli, { complete, courses: items })
  else if (items.length > 0) {
    const rows = items.map((item) => [
      item.course_number ?? '',
      item.course_name ?? '',
      item.course_category ?? '',
      enabledWords(item.is_active),
      approvalWords(item.approval_status_id),
      auditWords(item.audit_status_id),
      item.course_uuid ?? '',
    ])
    for (const line of tableLines(columns, rows, widthOf(cli))) answer(cli, line)
  } else say(cli, options.search === undefined ? 'The service shows no course.' : 'No course was found.')
  if (complete) return exitCode.ok
  say(cli, 'The list is cut: the service promises more courses than it gave.')
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
  await using reading = await readService(cli, options)
  const { uuid } = await reading.course(course)
  const detail = await reading.issuer.courseDetail(uuid)
  if (options.json) answerJson(cli, detail)
  else if (options.yaml) cli.stdout.write(courseYaml(detail))
  else for (const line of coursePage(detail)) answer(cli, line)
  return exitCode.ok
}
