// Values of a course as a person reads them: yes and no, years, and names beside uuids. Pure.

import type { CourseKey } from '#src/courses/course-file-schema.ts'
import { listOfKey } from '#src/courses/course-keys.ts'
import { unitWord } from '#src/courses/course-yaml.ts'
import { cutToWidth, oneLine } from './display-width.ts'

/** By uuid. */
export type Names = ReadonlyMap<string, string>

/** `value` as it stands on the wire, lists with commas. */
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

const longest = 120
const lead = 20

/** Two texts, each on one line and cut to what tells them apart. */
export function excerpts(before: string, after: string): [string, string] {
  const [a, b] = [oneLine(before), oneLine(after)]
  let same = 0
  while (same < Math.min(a.length, b.length) && a[same] === b[same]) same++
  const from = Math.max(a.length, b.length) > longest ? Math.max(0, same - lead) : 0
  return [excerpt(a, from), excerpt(b, from)]
}

function excerpt(text: string, from: number): string {
  return `${from > 0 ? '…' : ''}${cutToWidth(text.slice(from).toWellFormed(), longest)}`
}
