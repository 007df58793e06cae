// The body of a delivery as JSON, read so that no number loses digits and no nesting can exhaust us.

import { isUtf8 } from 'node:buffer'

export type EventBody = { ok: true; value: unknown } | { ok: false; why: string }

/** Far more than any system nests; far less than the stack bears. */
const deepest = 100

/**
 * JSON of UTF-8 bytes. A number that a JavaScript number cannot hold exactly, such as a global Canvas id of 17 digits, comes as the
 * text that was written. `why` is a sentence without values.
 */
export function parseEventBody(body: Buffer): EventBody {
  return parsed(body, keepDigits)
}

/** The same, where only texts are looked at: numbers may lose digits. */
export function parseQuickly(body: Buffer): EventBody {
  return parsed(body)
}

function parsed(body: Buffer, revive?: typeof keepDigits): EventBody {
  if (!isUtf8(body)) return { ok: false, why: 'The body is not UTF-8; have the sender write it so.' }
  const text = body.toString('utf8').replace(/^\uFEFF/, '')
  if (nestsTooDeep(text))
    return { ok: false, why: `The body is nested more than ${deepest} deep; no known system does that.` }
  try {
    return { ok: true, value: JSON.parse(text, revive) }
  } catch {
    return { ok: false, why: 'The body is not JSON; set the content type of the sender to application/json.' }
  }
}

function keepDigits(_: string, value: unknown, context?: { source?: string }): unknown {
  const source = context?.source
  if (typeof value !== 'number' || source === undefined || Number.isSafeInteger(value)) return value
  return /^-?\d+$/.test(source) ? source : value
}

/** Brackets outside of texts, counted before anything recursive touches the body. */
function nestsTooDeep(text: string): boolean {
  let depth = 0
  let quoted = false
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (quoted) {
      if (code === 0x5c) i++
      else if (code === 0x22) quoted = false
    } else if (code === 0x22) quoted = true
    else if (code === 0x5b || code === 0x7b) {
      depth++
      if (depth > deepest) return true
    } else if (code === 0x5d || code === 0x7d) depth--
  }
  return false
}
