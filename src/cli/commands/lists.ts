// credsync lists LIST: a reference list of the service, whole, as a table or as it came.

import { nearestName } from '#src/recipients/nearest-name.ts'
import { countOf } from '#src/write-back/count-of.ts'
import { type ExitCode, exitCode, UsageError } from '../exit-code.ts'
import { type ListName, type NamedList, namedLists } from '../named-lists.ts'
import { readService, type ServiceReading } from '../service-reading.ts'
import { answer, answerJson, type Cli, say, widthOf } from '../surroundings.ts'
import { tableLines } from '../table.ts'

export interface ListsOptions {
  search?: string
  course?: string
  certificationBody?: string
  config?: string
  json?: boolean
}

export async function listsCommand(cli: Cli, name: string, options: ListsOptions): Promise<ExitCode> {
  const list = listNamed(name)
  refuseMisfits(name, list, options)
  await using reading = await readService(cli, options)
  const { items, rows, complete } = await list.read({
    issuer: reading.issuer,
    search: options.search,
    course: options.course && (await reading.course(options.course)).uuid,
    certificationBody: options.certificationBody && (await bodyUuid(reading, options.certificationBody)),
  })
  if (options.json) answerJson(cli, { list: name, complete, items })
  else if (items.length > 0) for (const line of tableLines(list.columns, rows, widthOf(cli))) answer(cli, line)
  else say(cli, options.search === undefined ? 'The list is empty.' : 'Nothing was found.')
  if (complete) return exitCode.ok
  say(cli, `The list is cut: the service promises more than the ${countOf(items.length, 'item')} that it gave.`)
  return exitCode.service
}

function listNamed(name: string): NamedList {
  if (Object.hasOwn(namedLists, name)) return namedLists[name as ListName]
  const names = Object.keys(namedLists)
  const near = nearestName(name, names)
  throw new UsageError(
    `There is no list “${name}”. ${near ? `Did you mean ${near}?` : `There are: ${names.join(', ')}.`}`,
  )
}

/** @throws UsageError for what the list cannot do, rather than leave it unheard */
function refuseMisfits(name: string, { of }: NamedList, options: ListsOptions): void {
  if (options.search?.trim() === '') throw new UsageError('--search is empty. Leave it out to see the whole list.')
  if (of === 'course' && !options.course)
    throw new UsageError(`The list ${name} is that of one course: say which with --course.`)
  if (of !== 'course' && options.course)
    throw new UsageError(`The list ${name} is the same for every course: leave out --course.`)
  if (of !== 'certification body' && options.certificationBody)
    throw new UsageError(`The list ${name} is the same for every certification body: leave out --certification-body.`)
}

/** @throws UsageError when no body has the name, or several have it */
async function bodyUuid({ issuer }: ServiceReading, word: string): Promise<string> {
  const { items } = await namedLists['certification-bodies'].read({ issuer })
  const bodies = items as { certification_uuid: string | null; user_name: string | null }[]
  const same = (text: string | null) => text?.trim().toLowerCase() === word.trim().toLowerCase()
  const meant = bodies.filter((body) => same(body.certification_uuid) || same(body.user_name))
  const [only, another] = meant.map((body) => body.certification_uuid).filter((uuid) => uuid !== null)
  if (only && !another) return only
  if (another) throw new UsageError(`${meant.length} certification bodies are called “${word}”. Give the uuid of one.`)
  const names = bodies.flatMap((body) => body.user_name ?? [])
  const near = nearestName(word, names)
  throw new UsageError(
    `There is no certification body “${word}”. ${near ? `Did you mean “${near}”?` : 'See `credsync lists certification-bodies`.'}`,
  )
}
