// Formats values of a course for people: yes and no, units of time, and names next to uuids. Pure.

import type { CourseKey } from '#src/extensions/courses/course-file-schema.ts'
import { listOfKey } from '#src/extensions/courses/course-keys.ts'
import { unitWord } from '#src/extensions/courses/course-yaml.ts'
import { oneLine } from '#src/platform/text.ts'

/** Names by uuid. */
export type Names = ReadonlyMap<string, string>

/** @param value as it is sent to the service; a list has commas */
export function valueWords(key: string, value: string, names: Names): string {
  if (key === 'expires' || key === 'public') return value === '1' ? 'yes' : value === '0' ? 'no' : value
  if (key === 'validityUnit' || key === 'durationUnit') return unitWord(value)
  if (!listOfKey[key as CourseKey]) return value
  return value
    .split(',')
    .map((each) => each.trim())
    .map((uuid) => (names.get(uuid) ? `${names.get(uuid)} (${uuid})` : uuid))
    .join(', ')
}

const maxLength = 120
/** How much of the common beginning is shown before the first difference. */
const leadLength = 20

/** Shortens two strings to one line each, so that both lines show the first difference. */
export function excerpts(before: string, after: string): [string, string] {
  const [a, b] = [oneLine(before), oneLine(after)]
  let commonLength = 0
  while (commonLength < Math.min(a.length, b.length) && a[commonLength] === b[commonLength]) commonLength++
  const start = Math.max(a.length, b.length) > maxLength ? Math.max(0, commonLength - leadLength) : 0
  return [excerpt(a, start), excerpt(b, start)]
}

function excerpt(text: string, start: number): string {
  const shown = text.slice(start)
  const cut = shown.length > maxLength ? `${shown.slice(0, maxLength - 1)}…` : shown
  return `${start > 0 ? '…' : ''}${cut.toWellFormed()}`
}
