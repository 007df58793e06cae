// Readers that convert a string of a course form to a value, or refuse it with the field and the rule but without
// quoting the string. Pure.

import { SandboxRefusal } from '#sandboxes/service/refusal.ts'
import { jsonList } from '#sandboxes/service/upload-form.ts'

/**
 * Reads a non-empty string.
 * @throws SandboxRefusal 400
 */
export type FieldReader<T> = (text: string, name: string) => T

export const anyText: FieldReader<string> = (text) => text

/**
 * Returns a reader of numbers not less than `min`.
 * @param whole whether fractions are refused
 */
export function numberFrom(min: number, whole: boolean): FieldReader<number> {
  return (text, name) => {
    const value = /^\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN
    if (value >= min && Number.isFinite(value) && (!whole || Number.isSafeInteger(value))) return value
    throw invalidField(name, `must be a ${whole ? 'whole ' : ''}number of at least ${min}`)
  }
}

export const readFlag: FieldReader<0 | 1> = (text, name) => {
  if (text === '0' || text === '1') return text === '1' ? 1 : 0
  throw invalidField(name, 'must be 1 or 0')
}

export function choiceFrom<T extends string>(...choices: T[]): FieldReader<T> {
  return (text, name) => {
    const found = choices.find((choice) => choice === text)
    if (found !== undefined) return found
    throw invalidField(name, `must be ${choices.join(' or ')}`)
  }
}

export const stringList: FieldReader<string[]> = (text, name) => {
  const list = jsonList(name, text)
  if (list.every((entry) => typeof entry === 'string')) return list
  throw invalidField(name, 'must be a JSON array of strings')
}

/**
 * Returns a reader of one uuid of a list.
 * @param list the name of the list
 */
export function uuidFrom(uuids: readonly string[], list: string): FieldReader<string> {
  const all = new Set(uuids)
  return (text, name) => {
    if (all.has(text)) return text
    throw invalidField(name, `is not in the ${list} list`)
  }
}

/** Returns a reader of comma-separated uuids, each of which must be in `uuids`. The reader removes duplicates. */
export function uuidsFrom(uuids: readonly string[], list: string): FieldReader<string[]> {
  const readUuid = uuidFrom(uuids, list)
  return (text, name) => [...new Set(text.split(',').map((each) => readUuid(each.trim(), name)))]
}

export function invalidField(name: string, what: string): SandboxRefusal {
  return new SandboxRefusal(400, `Bad request: ${name} ${what}.`)
}
