// A type for untrusted JSON, and a parser that accepts only UTF-8 and limits the nesting depth. Pure.

export type Json = null | boolean | number | string | Json[] | JsonObject

export interface JsonObject {
  [key: string]: Json
}

/** The code that processes the values is recursive. No learning record is nested this deep. */
const maxDepth = 200

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Parses JSON text in UTF-8; undefined when it is not UTF-8, not JSON, or nested more than 200 levels deep. */
export function parseJson(bytes: Uint8Array): Json | undefined {
  try {
    const value: Json = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
    return isTooDeep(value) ? undefined : value
  } catch {
    return undefined
  }
}

function isTooDeep(value: Json): boolean {
  let level: Json[] = [value]
  for (let depth = 0; depth <= maxDepth; depth++) {
    level = level.flatMap((each) => (typeof each === 'object' && each !== null ? Object.values(each) : []))
    if (level.length === 0) return false
  }
  return true
}
