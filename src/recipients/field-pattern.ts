// A field's pattern, compiled in an engine of linear time: a common e-mail pattern took V8 10.8 s on 30 letters.

import { RE2JS } from 're2js'

export interface FieldPattern {
  /** Whether the pattern is found in the value; partial, as RegExp.test is. */
  test(value: string): boolean
}

const longestPattern = 1_000
// Beyond this a pattern of many states costs noticeable time even in linear time; such a value has other troubles.
const longestValue = 4_000

const flagBits: Record<string, number> = {
  i: RE2JS.CASE_INSENSITIVE,
  m: RE2JS.MULTILINE,
  s: RE2JS.DOTALL,
  g: 0, // without effect on a single test
  u: 0, // re2js always reads whole characters
}

/**
 * Compiles a pattern, bare or written as `/…/flags`. Null when it is empty; a reason, for people, when it can't be checked
 * here. `\s` is ASCII white space in this engine, and `.` a whole character: slight differences to JavaScript, taken knowingly.
 */
export function compilePattern(regex: string): FieldPattern | { refused: string } | null {
  const text = regex.trim()
  if (text === '') return null
  if (text.length > longestPattern) return { refused: `it is longer than ${longestPattern} characters` }
  const slashed = /^\/(.+)\/([a-z]*)$/s.exec(text)
  const source = slashed?.[1] ?? text
  let flags = 0
  for (const flag of slashed?.[2] ?? '') {
    if (!Object.hasOwn(flagBits, flag)) return { refused: `its flag ${flag} is not known here` }
    flags |= flagBits[flag] as number
  }
  try {
    const compiled = RE2JS.compile(RE2JS.translateRegExp(source), flags)
    return { test: (value) => value.length > longestValue || compiled.matcher(value).find() }
  } catch {
    // The engine's message quotes the pattern at length and in its own terms; the reason is nearly always the same.
    return {
      refused:
        'it uses something that has no linear-time form, such as a look-ahead or a back-reference, or is not valid',
    }
  }
}
