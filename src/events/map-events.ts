// Out of the body of a delivery: who completed which course, and when.

import type { EventMap } from '#config/event-map-settings.ts'
import { readInstant } from './event-instant.ts'
import { valueIn } from './event-pointer.ts'
import { columnText, idText, isNothing } from './event-text.ts'
import { eventsIn } from './listed-events.ts'

export interface Mapped {
  /** At least one of them. An e-mail address stands as it was written. */
  learner: { id?: string; idnumber?: string; email?: string }
  course: string
  /** Null when the settings name no time. Never the time of arrival: a repeat would then be another completion. */
  at: Date | null
  /** By column; what the event leaves out is left out. */
  fields: Record<string, string>
  eventId?: string
}

export interface MappedEvents {
  events: Mapped[]
  /** Events that need a person, by their place in the list, from 0. `why` names pointers of the settings, never a value. */
  strange: { index: number; why: string }[]
  /** Events that the settings do not ask for. */
  ignored: number
}

/** What an event cannot say becomes a sentence. */
class Strange extends Error {}

/** `body` is what parseEventBody gave. Nothing in a body makes it throw. */
export function mapEvents(settings: EventMap, body: unknown, arrivedAt: Date): MappedEvents {
  const result: MappedEvents = { events: [], strange: [], ignored: 0 }
  const events = eventsIn(settings, body)
  if (events === null) {
    const places = (settings.list ?? []).map((pointer) => pointer || 'the root of the body').join(' or ')
    result.strange.push({ index: 0, why: `There is no list of events at ${places}; check \`list\` of the system.` })
    return result
  }
  for (const [index, event] of events.entries()) {
    try {
      const mapped = mapOne(settings, (pointer) => valueIn(event, body, pointer), arrivedAt)
      if (mapped === null) result.ignored++
      else result.events.push(mapped)
    } catch (error) {
      if (!(error instanceof Strange)) throw error
      result.strange.push({ index, why: error.message })
    }
  }
  return result
}

type Look = (pointer: string) => unknown

function mapOne(settings: EventMap, look: Look, arrivedAt: Date): Mapped | null {
  if (!isWanted(settings, look)) return null
  const eventId = settings.id === undefined ? undefined : idText(look(settings.id))
  return {
    learner: learnerOf(settings.learner, look),
    course: required(look, settings.course, 'course'),
    at: instantOf(settings, look, arrivedAt),
    fields: fieldsOf(settings.fields, look),
    ...(eventId === undefined ? {} : { eventId }),
  }
}

function isWanted(settings: EventMap, look: Look): boolean {
  if (settings.type !== undefined && !settings.accept?.includes(required(look, settings.type, 'type'))) return false
  return Object.entries(settings.ignoreUnless).every(([pointer, value]) => columnText(look(pointer)) === String(value))
}

function learnerOf(pointers: EventMap['learner'], look: Look): Mapped['learner'] {
  const learner: Mapped['learner'] = {}
  for (const name of ['id', 'idnumber', 'email'] as const) {
    const pointer = pointers[name]
    const found = pointer === undefined ? undefined : look(pointer)
    if (pointer !== undefined && !isNothing(found)) learner[name] = required(look, pointer, `learner.${name}`)
  }
  if (Object.keys(learner).length > 0) return learner
  const places = Object.values(pointers).join(' nor at ')
  throw new Strange(`Nothing says who completed: there is no value at ${places}; check \`learner\` of the system.`)
}

function instantOf(settings: EventMap, look: Look, arrivedAt: Date): Date | null {
  if (!settings.completedAt) return null
  const { pointer, format } = settings.completedAt
  const found = look(pointer)
  if (isNothing(found))
    throw new Strange(`There is no time of completion at ${pointer}: it may not be completed; check \`completedAt\`.`)
  const at = readInstant(found, format, arrivedAt)
  if (at !== null) return at
  throw new Strange(
    `What stands at ${pointer} is no time in the format ${format} between 1990 and now; check \`completedAt\` of the system.`,
  )
}

function fieldsOf(pointers: EventMap['fields'], look: Look): Record<string, string> {
  const cells = Object.entries(pointers).flatMap(([column, pointer]) => {
    const found = look(pointer)
    if (isNothing(found)) return []
    const text = columnText(found)
    if (text !== undefined) return [[column, text] as const]
    throw new Strange(`What stands at ${pointer} is no value that fits a cell; check \`fields\` of the system.`)
  })
  return Object.fromEntries(cells)
}

function required(look: Look, pointer: string, setting: string): string {
  const found = look(pointer)
  const text = idText(found)
  if (text !== undefined) return text
  const what = isNothing(found)
    ? `There is no value at ${pointer}`
    : `What stands at ${pointer} is neither a short text nor a whole number`
  throw new Strange(`${what}; check \`${setting}\` of the system.`)
}
