// Reading what came in a JSON body, field by field.

import { Refusal } from './refusal.ts'

export type Fields = Readonly<Record<string, unknown>>

/** The bytes of a body as a value; no bytes are an empty object. @throws Refusal 400 when it is not JSON. */
export function parseJsonBody(body: Buffer): unknown {
  if (body.length === 0) return {}
  try {
    return JSON.parse(body.toString('utf8'))
  } catch {
    // The parser's own message quotes the text around the fault.
    throw new Refusal(400, 'Bad request: the body is not JSON.')
  }
}

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** @throws Refusal 400 when the body is not a JSON object. */
export function fieldsOf(body: unknown): Fields {
  if (!isFields(body)) throw new Refusal(400, 'Bad request: the body is not a JSON object.')
  return body
}

/** The text of a field, under the first of the given spellings that is there. @throws Refusal 400 without one. */
export function requiredText(fields: Fields, ...spellings: string[]): string {
  for (const name of spellings) {
    const value = fields[name]
    if (typeof value === 'string' && value.trim() !== '') return value.trim()
  }
  throw new Refusal(400, `Bad request: ${spellings.join(' or ')} is required and must be text.`)
}
