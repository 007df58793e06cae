// Values as the service may write them: absent and null alike (but see shownText), numbers also as text, yes and no in any usual dress.

import { z } from 'zod'

/** Text or null; a number is taken as its text (register numbers come both ways). */
export const text = z
  .union([z.string(), z.number().transform(String)])
  .nullish()
  .transform((value) => value ?? null)

/**
 * The same for what nobody's work depends on: null for nothing, undefined for what came in another form (an object, a list), so that one odd
 * key does not make a whole answer unreadable, and whoever needs the value can still tell "empty" from "not understood".
 */
export const softText = z
  .unknown()
  .optional()
  .transform((value) => {
    if (typeof value === 'string' || typeof value === 'number') return String(value)
    return value === null || value === undefined ? null : undefined
  })

/** Text as softText reads it, for what is written back as it was read: undefined also where the key is absent, which is not known to be empty. */
export const shownText = z
  .unknown()
  .optional()
  .transform((value) => (typeof value === 'string' || typeof value === 'number' ? String(value) : nullOrUnread(value)))

function nullOrUnread(value: unknown): null | undefined {
  return value === null ? null : undefined
}

function asNumber(value: unknown): number | null {
  if (typeof value === 'number') return value
  return typeof value === 'string' && /^\s*-?\d+(\.\d+)?\s*$/.test(value) ? Number(value) : null
}

/** A number, also when written as text; anything else that may stand in its place (null, empty, a word) is null. */
export const numberOrNull = z.unknown().optional().transform(asNumber)

/** A documented 0 or 1, also when it comes as true and false; null for anything that is no number. */
export const zeroOrOne = z
  .unknown()
  .optional()
  .transform((value) => (typeof value === 'boolean' ? Number(value) : asNumber(value)))

/** The least or greatest value of a field: documented as a number, but it stands on date fields, so a date is kept too. */
export const boundary = z
  .unknown()
  .optional()
  .transform((value) => asNumber(value) ?? (typeof value === 'string' && value.trim() ? value : null))

/** A yes or no, also as 1 and 0 or as words; empty is no. Not z.coerce: that reads the word "false" as true. */
const no = z.literal('').transform(() => false)
export const flag = z.union([z.boolean(), z.number().transform((n) => n !== 0), no, z.stringbool()]).nullish()

/** The same, with null for what is absent. */
export const yesOrNo = flag.transform((value) => value ?? null)
