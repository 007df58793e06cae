// Finds the events in an inbound body, and reads from each who completed which course, and when. Pure.

import { valueAt } from '#src/platform/json-pointer.ts'
import type { EventMap } from './event-map-settings.ts'
import { columnText, idText, isNothing } from './event-text.ts'
import { readInstant } from './event-time.ts'

export interface MappedEvent {
  /** Has at least one property. An e-mail address is kept as received. */
  learner: { id?: string; idnumber?: string; email?: string }
  course: string
  /**
   * Null when the settings name no time. It is never the time of arrival, because a repeated event would then be
   * another completion.
   */
  at: Date | null
  /** Values by column. Values that the event does not contain are omitted. */
  fields: Record<string, string>
}

export interface MappedEvents {
  events: MappedEvent[]
  /** Why events cannot be read, for an operator: names pointers of the settings, never a value. */
  unreadable: string[]
}

/** Thrown for an event that an operator must review; its message says why. */
class UnreadableEvent extends Error {}

/**
 * Reads all events of one body. Never throws because of what a body contains.
 * @param body the value from parseEventBody
 */
export function mapEvents(settings: EventMap, body: unknown, arrivedAt: Date): MappedEvents {
  const result: MappedEvents = { events: [], unreadable: [] }
  const events = eventsIn(settings, body)
  if (events === null) {
    const locations = (settings.list ?? []).map((pointer) => pointer || 'the root of the body').join(' or ')
    result.unreadable.push(`There is no list of events at ${locations}; check \`list\` in the settings of the system.`)
    return result
  }
  for (const event of events)
    try {
      const mapped = mapEvent(settings, (pointer) => valueIn(event, body, pointer), arrivedAt)
      if (mapped !== null) result.events.push(mapped)
    } catch (error) {
      if (!(error instanceof UnreadableEvent)) throw error
      result.unreadable.push(error.message)
    }
  return result
}

type ValueReader = (pointer: string) => unknown

function mapEvent(settings: EventMap, read: ValueReader, arrivedAt: Date): MappedEvent | null {
  if (!isWanted(settings, read)) return null
  return {
    learner: learnerOf(settings.learner, read),
    course: required(read, settings.course, 'course'),
    at: instantOf(settings, read, arrivedAt),
    fields: fieldsOf(settings.fields, read),
  }
}

function isWanted(settings: EventMap, read: ValueReader): boolean {
  if (settings.type !== undefined && !settings.accept?.includes(required(read, settings.type, 'type'))) return false
  return Object.entries(settings.ignoreUnless).every(([pointer, value]) => columnText(read(pointer)) === String(value))
}

function learnerOf(pointers: EventMap['learner'], read: ValueReader): MappedEvent['learner'] {
  const learner: MappedEvent['learner'] = {}
  for (const name of ['id', 'idnumber', 'email'] as const) {
    const pointer = pointers[name]
    const found = pointer === undefined ? undefined : read(pointer)
    if (pointer !== undefined && !isNothing(found)) learner[name] = required(read, pointer, `learner.${name}`)
  }
  if (Object.keys(learner).length > 0) return learner
  const locations = Object.values(pointers).join(' nor at ')
  throw new UnreadableEvent(
    `The learner is missing: there is no value at ${locations}; check \`learner\` in the settings of the system.`,
  )
}

function instantOf(settings: EventMap, read: ValueReader, arrivedAt: Date): Date | null {
  if (!settings.completedAt) return null
  const { pointer, format } = settings.completedAt
  const found = read(pointer)
  if (isNothing(found))
    throw new UnreadableEvent(
      `There is no time of completion at ${pointer}: the course may not be completed; check \`completedAt\` in the settings of the system.`,
    )
  const at = readInstant(found, format, arrivedAt)
  if (at !== null) return at
  throw new UnreadableEvent(
    `The value at ${pointer} is not a time in the format ${format}, or is before 1990 or more than a day in the future; check \`completedAt\` in the settings of the system.`,
  )
}

function fieldsOf(pointers: EventMap['fields'], read: ValueReader): Record<string, string> {
  const cells = Object.entries(pointers).flatMap(([column, pointer]) => {
    const found = read(pointer)
    if (isNothing(found)) return []
    const text = columnText(found)
    if (text !== undefined) return [[column, text] as const]
    throw new UnreadableEvent(
      `The value at ${pointer} does not fit in a cell; check \`fields\` in the settings of the system.`,
    )
  })
  return Object.fromEntries(cells)
}

function required(read: ValueReader, pointer: string, setting: string): string {
  const found = read(pointer)
  const text = idText(found)
  if (text !== undefined) return text
  const what = isNothing(found)
    ? `There is no value at ${pointer}`
    : `The value at ${pointer} is neither a short string nor a whole number`
  throw new UnreadableEvent(`${what}; check \`${setting}\` in the settings of the system.`)
}

/**
 * Returns the value at a JSON Pointer from the settings, relative to `body` if the pointer begins with #, otherwise
 * relative to `event`, which may be one of several in the body; undefined when there is no value.
 */
export function valueIn(event: unknown, body: unknown, pointer: string): unknown {
  return pointer.startsWith('#') ? valueAt(body, pointer.slice(1)) : valueAt(event, pointer)
}

/**
 * Returns the events of one body, which may be a single event or contain several, in order; null when the settings name
 * locations of a list, and there is no value at any of them.
 */
export function eventsIn(settings: Pick<EventMap, 'list'>, body: unknown): unknown[] | null {
  if (!settings.list) return [body]
  for (const pointer of settings.list) {
    const found = valueAt(body, pointer)
    if (Array.isArray(found)) return found
    if (typeof found === 'object' && found !== null) return [found]
  }
  return null
}
