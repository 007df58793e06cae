// credsync lists LIST: shows a complete reference list of the service, as a table or as unchanged JSON.

import { nearestName } from '#src/domain/recipient/nearest-name.ts'
import { countOf } from '#src/issuing/results/run-summary.ts'
import { type Cli, print, printJson, say } from '../cli-context.ts'
import { type ExitCode, exitCode, UsageError } from '../exit-code.ts'
import { openServiceForReading, type ServiceReading } from '../open-service-for-reading.ts'
import { type ServiceList, type ServiceListName, serviceLists } from '../service-lists.ts'
import { tableLines } from '../text/table.ts'

export interface ListsOptions {
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
    certificationBody: options.certificationBody && (await bodyUuid(reading, options.certificationBody)),
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
  const names = Object.keys(serviceLists)
  const suggestion = nearestName(name, names)
  throw new UsageError(
    `There is no list called “${name}”. ${suggestion ? `Did you mean ${suggestion}?` : `The lists are: ${names.join(', ')}.`}`,
  )
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

/** @throws UsageError if no body has the name, or several do */
async function bodyUuid({ issuer }: ServiceReading, word: string): Promise<string> {
  const { items } = await serviceLists['certification-bodies'].read({ issuer })
  const bodies = items as { certification_uuid: string | null; user_name: string | null }[]
  const isNamed = (text: string | null) => text?.trim().toLowerCase() === word.trim().toLowerCase()
  const matches = bodies.filter((body) => isNamed(body.certification_uuid) || isNamed(body.user_name))
  const [uuid, secondUuid] = matches.map((body) => body.certification_uuid).filter((uuid) => uuid !== null)
  if (uuid && !secondUuid) return uuid
  if (secondUuid)
    throw new UsageError(`${matches.length} certification bodies are called “${word}”. Give the uuid of one.`)
  const names = bodies.flatMap((body) => body.user_name ?? [])
  const suggestion = nearestName(word, names)
  throw new UsageError(
    `There is no certification body called “${word}”. ${suggestion ? `Did you mean “${suggestion}”?` : 'See `credsync lists certification-bodies`.'}`,
  )
}
