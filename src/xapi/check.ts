// The bricks of which the rules for a statement are built: each looks at a value and names the place and the rule it breaks.

import { isObject, type Json } from './json.ts'

/** @throws StatementFault when the value, which stands at `path`, breaks a rule. */
export type Check = (value: Json, path: string) => void

/** A rule that a statement breaks. It names the place and the rule, never the value: values are people's. */
export class StatementFault extends Error {
  override readonly name = 'StatementFault'
  constructor(path: string, rule: string) {
    super(`${path === '' ? 'The statement' : path} ${rule}`)
  }
}

export interface Shape {
  required?: Readonly<Record<string, Check>>
  optional?: Readonly<Record<string, Check>>
}

export function placeOf(path: string, key: string): string {
  return path === '' ? key : `${path}.${key}`
}

export function textThat(fits: (text: string) => boolean, rule: string): Check {
  return (value, path) => {
    if (typeof value !== 'string' || !fits(value)) throw new StatementFault(path, rule)
  }
}

export const text = textThat(() => true, 'must be a string')

export function exactly(...words: readonly string[]): Check {
  return textThat((value) => words.includes(value), `must be ${words.map((word) => `"${word}"`).join(' or ')}`)
}

export const truth: Check = (value, path) => {
  if (typeof value !== 'boolean') throw new StatementFault(path, 'must be true or false')
}

export function numberThat(fits: (number: number) => boolean, rule: string): Check {
  return (value, path) => {
    if (typeof value !== 'number' || !Number.isFinite(value) || !fits(value)) throw new StatementFault(path, rule)
  }
}

export function listOf(each: Check, least = 0): Check {
  return (value, path) => {
    if (!Array.isArray(value)) throw new StatementFault(path, 'must be an array')
    if (value.length < least) throw new StatementFault(path, `must have at least ${least} entry`)
    for (const [index, entry] of value.entries()) each(entry, `${path}[${index}]`)
  }
}

/** An object with these properties and no others; names of properties are compared letter by letter. */
export function record({ required = {}, optional = {} }: Shape): Check {
  return (value, path) => {
    if (!isObject(value)) throw new StatementFault(path, 'must be an object')
    for (const key of Object.keys(required))
      if (!Object.hasOwn(value, key)) throw new StatementFault(placeOf(path, key), 'is required')
    for (const [key, entry] of Object.entries(value)) {
      const check = own(required, key) ?? own(optional, key)
      if (!check) throw new StatementFault(path, `has the property ${speakable(key)}, which is not allowed there`)
      check(entry, placeOf(path, key))
    }
  }
}

function own(checks: Readonly<Record<string, Check>>, key: string): Check | undefined {
  return Object.hasOwn(checks, key) ? checks[key] : undefined
}

/** A key that looks like a name is one; anything else may be a value that slipped into its place. */
function speakable(key: string): string {
  return /^[A-Za-z_]{1,40}$/.test(key) ? `"${key}"` : 'with a strange name'
}
