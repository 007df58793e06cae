// The building blocks for validating statements. Each check throws an error that names the path and the violated rule.
// Pure.

import { isObject, type Json } from './json.ts'

/** @throws StatementFault when the value at `path` violates a rule */
export type ValueCheck = (value: Json, path: string) => void

/**
 * A statement violates a rule. The message names the path and the rule, but never the value, which may be personal
 * data.
 */
export class StatementFault extends Error {
  override readonly name = 'StatementFault'
  constructor(path: string, rule: string) {
    super(`${path === '' ? 'The statement' : path} ${rule}`)
  }
}

export interface Shape {
  required?: Readonly<Record<string, ValueCheck>>
  optional?: Readonly<Record<string, ValueCheck>>
}

export function pathTo(path: string, key: string): string {
  return path === '' ? key : `${path}.${key}`
}

export function textThat(isValid: (text: string) => boolean, rule: string): ValueCheck {
  return (value, path) => {
    if (typeof value !== 'string' || !isValid(value)) throw new StatementFault(path, rule)
  }
}

export const textValue = textThat(() => true, 'must be a string')

export function exactly(...values: readonly string[]): ValueCheck {
  return textThat((value) => values.includes(value), `must be ${values.map((word) => `"${word}"`).join(' or ')}`)
}

export const booleanValue: ValueCheck = (value, path) => {
  if (typeof value !== 'boolean') throw new StatementFault(path, 'must be true or false')
}

export function numberThat(isValid: (number: number) => boolean, rule: string): ValueCheck {
  return (value, path) => {
    if (typeof value !== 'number' || !Number.isFinite(value) || !isValid(value)) throw new StatementFault(path, rule)
  }
}

export function listOf(checkEntry: ValueCheck, minLength = 0): ValueCheck {
  return (value, path) => {
    if (!Array.isArray(value)) throw new StatementFault(path, 'must be an array')
    if (value.length < minLength) throw new StatementFault(path, `must have at least ${minLength} entry`)
    for (const [index, entry] of value.entries()) checkEntry(entry, `${path}[${index}]`)
  }
}

/** Checks for an object with these properties and no others. Property names are case-sensitive. */
export function record({ required = {}, optional = {} }: Shape): ValueCheck {
  return (value, path) => {
    if (!isObject(value)) throw new StatementFault(path, 'must be an object')
    for (const key of Object.keys(required))
      if (!Object.hasOwn(value, key)) throw new StatementFault(pathTo(path, key), 'is required')
    for (const [key, entry] of Object.entries(value)) {
      const check = checkFor(required, key) ?? checkFor(optional, key)
      if (!check) throw new StatementFault(path, `has the property ${safeKey(key)}, which is not allowed there`)
      check(entry, pathTo(path, key))
    }
  }
}

function checkFor(checks: Readonly<Record<string, ValueCheck>>, key: string): ValueCheck | undefined {
  return Object.hasOwn(checks, key) ? checks[key] : undefined
}

/**
 * Returns a key that looks like a name, for use in a message. Any other key may be a misplaced value, which must not
 * appear.
 */
function safeKey(key: string): string {
  return /^[A-Za-z_]{1,40}$/.test(key) ? `"${key}"` : 'with an invalid name'
}
