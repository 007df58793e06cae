// credsync lists LIST: shows a complete reference list of the service, as a table or as unchanged JSON.

import { countOf } from '#src/issuing/results/run-summary.ts'
import { type Cli, print, printJson, say } from '../cli-context.ts'
import { type ExitCode, exitCode, UsageError } from '../exit-code.ts'
import { openServiceForReading } from '../open-service-for-reading.ts'
import { type ServiceList, type ServiceListName, serviceLists } from '../service-lists.ts'
import { tableLines } from '../text/table.ts'

interface ListsOptions {
  search?: string
  course?: string
  certificationBody?: string
  config?: string
  json?: boolean
}

export async function listsCommand(cli: Cli, name: string, options: ListsOptions): Promise<ExitCode> {
  const list = listNamed(name)
  refuseUnsupported(name, list, options)
  await using reading = await openServiceForReading(cli, options)
  const { items, rows, complete } = await list.read({
    issuer: reading.issuer,
    search: options.search,
    course: options.course && (await reading.course(options.course)).uuid,
    certificationBody: options.certificationBody,
  })
  if (options.json) printJson(cli, { list: name, complete, items })
  else if (items.length > 0) for (const line of tableLines(list.titles, rows)) print(cli, line)
  else say(cli, options.search === undefined ? 'The list is empty.' : 'Nothing was found.')
  if (complete) return exitCode.ok
  say(
    cli,
    `The list is incomplete: the service announced more than the ${countOf(items.length, 'item')} that it returned.`,
  )
  return exitCode.service
}

function listNamed(name: string): ServiceList {
  if (Object.hasOwn(serviceLists, name)) return serviceLists[name as ServiceListName]
  throw new UsageError(`There is no list called “${name}”. The lists are: ${Object.keys(serviceLists).join(', ')}.`)
}

/** @throws UsageError for an option that the list does not support, instead of ignoring it */
function refuseUnsupported(name: string, { belongsTo }: ServiceList, options: ListsOptions): void {
  if (options.search?.trim() === '') throw new UsageError('--search is empty. Leave it out to see the whole list.')
  if (belongsTo === 'course' && !options.course)
    throw new UsageError(`The list ${name} belongs to one course: name it with --course.`)
  if (belongsTo !== 'course' && options.course)
    throw new UsageError(`The list ${name} is the same for every course: leave out --course.`)
  if (belongsTo !== 'certification body' && options.certificationBody)
    throw new UsageError(`The list ${name} is the same for every certification body: leave out --certification-body.`)
}
