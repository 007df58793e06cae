// Reads the fields of a JSON body. Pure.

import { SandboxRefusal } from './refusal.ts'

export type Fields = Readonly<Record<string, unknown>>

/**
 * Parses the bytes of a body; an empty body is an empty object.
 * @throws SandboxRefusal 400 if it is not JSON
 */
export function parseJsonBody(body: Buffer): unknown {
  if (body.length === 0) return {}
  try {
    return JSON.parse(body.toString('utf8'))
  } catch {
    // The message of the parser is not used, because it quotes the text around the error.
    throw new SandboxRefusal(400, 'Bad request: the body is not JSON.')
  }
}

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** @throws SandboxRefusal 400 if the body is not a JSON object */
export function fieldsOf(body: unknown): Fields {
  if (!isFields(body)) throw new SandboxRefusal(400, 'Bad request: the body is not a JSON object.')
  return body
}

/**
 * Returns the text of a field, under the first of the given spellings that exists.
 * @throws SandboxRefusal 400 if there is none
 */
export function requiredText(fields: Fields, ...spellings: string[]): string {
  for (const name of spellings) {
    const value = fields[name]
    if (typeof value === 'string' && value.trim() !== '') return value.trim()
  }
  throw new SandboxRefusal(400, `Bad request: ${spellings.join(' or ')} is required and must be text.`)
}
