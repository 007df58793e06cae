// zod schemas for values in all the forms in which the service may write them: an absent value is the same as null (but
// see readBackText), numbers may be text, booleans may have any usual form.

import { z } from 'zod'

/** Text or null. A number is converted to text, because register numbers come in both forms. */
export const text = z
  .union([z.string(), z.number().transform(String)])
  .nullish()
  .transform((value) => value ?? null)

/**
 * For text that is not essential: null if absent, undefined if it has another form (an object, a list). A single
 * malformed value then does not make a whole answer unreadable, and callers can still distinguish "empty" from "not
 * understood".
 */
export const lenientText = z
  .unknown()
  .optional()
  .transform((value) => {
    if (typeof value === 'string' || typeof value === 'number') return String(value)
    return value === null || value === undefined ? null : undefined
  })

/**
 * Like lenientText, for values that are later written back: undefined also if the key is absent, because it is then not
 * known to be empty.
 */
export const readBackText = z
  .unknown()
  .optional()
  .transform((value) => {
    if (typeof value === 'string' || typeof value === 'number') return String(value)
    return value === null ? null : undefined
  })

function asNumber(value: unknown): number | null {
  if (typeof value === 'number') return value
  return typeof value === 'string' && /^\s*-?\d+(\.\d+)?\s*$/.test(value) ? Number(value) : null
}

/** A number, which may be written as text; any other value (null, empty, a word) becomes null. */
export const numberOrNull = z.unknown().optional().transform(asNumber)

/** A value documented as 0 or 1, also accepted as true or false; null for anything that is not a number. */
export const zeroOrOne = z
  .unknown()
  .optional()
  .transform((value) => (typeof value === 'boolean' ? Number(value) : asNumber(value)))

/**
 * The minimum or maximum of a field. Documented as a number, but date fields have it too, so a date is kept as text.
 */
export const boundary = z
  .unknown()
  .optional()
  .transform((value) => asNumber(value) ?? (typeof value === 'string' && value.trim() ? value : null))

const emptyIsFalse = z.literal('').transform(() => false)
/**
 * A boolean, also accepted as 1 or 0 or as a word; empty text is false. Does not use z.coerce, which reads the word
 * "false" as true.
 */
export const flag = z.union([z.boolean(), z.number().transform((n) => n !== 0), emptyIsFalse, z.stringbool()]).nullish()

/** Like flag, but null if absent. */
export const yesOrNo = flag.transform((value) => value ?? null)
