// One text of a course form as a value, or a refusal that names the field and the rule, never the text.

import { Refusal } from '#src/sandbox/refusal.ts'
import { jsonList } from '#src/sandbox/upload-form.ts'

/** Reads a text that is not empty. @throws Refusal 400 */
export type Reader<T> = (text: string, name: string) => T

export const anyText: Reader<string> = (text) => text

/** A number from `least`; `whole` for one without a fraction. */
export function number(least: number, whole: boolean): Reader<number> {
  return (text, name) => {
    const value = /^\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN
    if (value >= least && Number.isFinite(value) && (!whole || Number.isSafeInteger(value))) return value
    throw wrong(name, `must be a ${whole ? 'whole ' : ''}number from ${least}`)
  }
}

export const flag: Reader<0 | 1> = (text, name) => {
  if (text === '0' || text === '1') return text === '1' ? 1 : 0
  throw wrong(name, 'must be 1 or 0')
}

export function oneOf<T extends string>(...choices: T[]): Reader<T> {
  return (text, name) => {
    const found = choices.find((each) => each === text)
    if (found !== undefined) return found
    throw wrong(name, `must be ${choices.join(' or ')}`)
  }
}

export const words: Reader<string[]> = (text, name) => {
  const list = jsonList(name, text)
  if (list.every((each) => typeof each === 'string')) return list
  throw wrong(name, 'must be a JSON array of strings as text')
}

/** One uuid of a list; `list` says which list. */
export function known(uuids: readonly string[], list: string): Reader<string> {
  const all = new Set(uuids)
  return (text, name) => {
    if (all.has(text)) return text
    throw wrong(name, `is not in the ${list} list`)
  }
}

/** Uuids of a list, separated by commas, each once. */
export function knownOnes(uuids: readonly string[], list: string): Reader<string[]> {
  const one = known(uuids, list)
  return (text, name) => [...new Set(text.split(',').map((each) => one(each.trim(), name)))]
}

export function wrong(name: string, what: string): Refusal {
  return new Refusal(400, `Bad request: ${name} ${what}.`)
}
