// Parses the body of an event as JSON, without losing digits of large numbers and without exhausting the stack on deep
// nesting. Pure.

import { isUtf8 } from 'node:buffer'
import { parseExactJson } from '#src/platform/http/parse-exact-json.ts'

export type EventBody = { ok: true; value: unknown } | { ok: false; why: string }

/** Far deeper than any system nests its events, and far less than the stack allows. */
const maxDepth = 100

/**
 * Parses UTF-8 JSON. A number that JavaScript cannot represent exactly, such as a global Canvas id of 17 digits, is
 * returned as a string with its original digits. `why` is a message without values.
 */
export function parseEventBody(body: Buffer): EventBody {
  return parseBody(body, parseExactJson)
}

/** Like parseEventBody, but faster, for callers that read only strings: numbers may lose digits. */
export function parseQuickly(body: Buffer): EventBody {
  return parseBody(body, JSON.parse)
}

function parseBody(body: Buffer, parse: (text: string) => unknown): EventBody {
  if (!isUtf8(body)) return { ok: false, why: 'The body is not UTF-8; have the sender use UTF-8.' }
  const text = body.toString('utf8').replace(/^\uFEFF/, '')
  if (nestsTooDeep(text))
    return { ok: false, why: `The body is nested more than ${maxDepth} levels deep; no known system does that.` }
  try {
    return { ok: true, value: parse(text) }
  } catch {
    return { ok: false, why: 'The body is not JSON; set the content type of the sender to application/json.' }
  }
}

/** Counts brackets outside of strings, before anything recursive processes the body. */
function nestsTooDeep(text: string): boolean {
  let depth = 0
  let isInString = false
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (isInString) {
      if (code === 0x5c) i++
      else if (code === 0x22) isInString = false
    } else if (code === 0x22) isInString = true
    else if (code === 0x5b || code === 0x7b) {
      depth++
      if (depth > maxDepth) return true
    } else if (code === 0x5d || code === 0x7d) depth--
  }
  return false
}
