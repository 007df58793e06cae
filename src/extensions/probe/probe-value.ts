// Invents a value for one field of a test recipient. The value must satisfy the field's rules, must not belong to a
// real person, and should differ from every other value that the probe sends. Pure.

import { createHash } from 'node:crypto'
import { checkValue } from '#src/domain/recipient/check-value.ts'
import type { FieldRule } from '#src/domain/recipient/compile-rules.ts'
import { type Field, isChoiceField, isDateField } from '#src/domain/recipient/field.ts'
import { roleOf } from '#src/domain/recipient/field-role.ts'

export interface ValueContext {
  /** Six letters that are different for each probe. */
  tag: string
  /** The recipient's number, 1 to 9. */
  number: number
  /** The field's position in the list, so that two fields of one recipient get different values. */
  position: number
  /** The value that the pipeline sends in this field for every recipient; null if there is none. */
  constant: string | null
  /** Whether the course has an e-mail field. */
  hasEmail: boolean
}

/**
 * Shorter values may collide by chance. Phone numbers are never treated as unique either: only a thousand are reserved,
 * and earlier probes used some of them.
 */
const minUniqueLength = 8

/**
 * Returns the first invented value that satisfies the field's rules, and whether the value is certainly unique to this
 * recipient. Null if no value satisfies the rules.
 */
export function probeValue(rule: FieldRule, context: ValueContext): { value: string; unique: boolean } | null {
  const unique = uniqueValues(rule.field, context).map((value) => ({
    value,
    unique: value.length >= minUniqueLength && roleOf(rule.field) !== 'phone',
  }))
  const any = sharedValues(rule, context).map((value) => ({ value, unique: false }))
  // If the pattern cannot be checked here, the service's sample value is the most likely to be valid.
  const unchecked = rule.field.regex.trim() !== '' && rule.pattern === null
  const choices = unchecked ? [...any, ...unique] : [...unique, ...any]
  return choices.find(({ value }) => value !== '' && checkValue(value, rule).length === 0) ?? null
}

function uniqueValues(field: Field, context: ValueContext): string[] {
  const { tag, number } = context
  const bytes = createHash('sha256').update(`${tag} ${number} ${field.displayName}`).digest()
  // example.org is reserved for examples (RFC 2606) and does not accept mail. `.invalid` would be safer, but the
  // service may check top-level domains.
  const role = roleOf(field)
  if (role === 'email') return [`credsync-probe-${tag}-${number}@example.org`, `p${tag}${number}@example.org`]
  if (role === 'primary value' || role === 'dial code' || isChoiceField(field) || isDateField(field)) return []
  if (role === 'phone') return phones(bytes, number)
  const letters = `Probe${tag}${letter(number)}${letter(context.position)}`
  const digits =
    `0${bytes.readBigUInt64BE(0) % 10n ** 7n}`.padEnd(8, '7') + String(number).padStart(2, '0') + context.position
  return [letters, `${letters}${number}`, digits, shapedLike(field.sampleValue, bytes)].map((text) =>
    truncated(text, field),
  )
}

function sharedValues({ field, minDate, maxDate }: FieldRule, context: ValueContext): string[] {
  const { constant, number, position } = context
  const sample = field.sampleValue.trim()
  const constants = constant ? [constant] : []
  const role = roleOf(field)
  if (role === 'email') return []
  if (role === 'primary value') return [...constants, ...(context.hasEmail ? ['Email'] : []), sample]
  // The dial code of the reserved phone numbers. It is not used for a choice field without options, which may expect
  // something else.
  const dial = role === 'dial code' && (!isChoiceField(field) || field.options.length > 0) ? ['+44', '44'] : []
  if (isChoiceField(field)) return [...dial, ...constants, ...field.options, sample]
  if (isDateField(field)) return [dayOf(number, position), sample, minDate ?? '', maxDate ?? '']
  if (dial.length > 0) return [...dial, sample]
  // The sample phone number is never used, because it may belong to somebody.
  if (role === 'phone') return []
  return [sample, ...constants]
}

/** Ofcom reserves 07700 900000 to 900999 for drama, so messages to these numbers reach no one. */
function phones(bytes: Buffer, number: number): string[] {
  const last = String((bytes.readUInt16BE(0) % 100) * 10 + number).padStart(3, '0')
  return ['07700900', '+447700900', '447700900', '7700900'].map((start) => start + last)
}

/** Returns a past date, which cannot be the issue date by coincidence. It is different for each recipient and field. */
function dayOf(number: number, position: number): string {
  return `${2001 + (position % 9)}-0${number}-${String(1 + (position % 28)).padStart(2, '0')}`
}

function letter(number: number): string {
  return String.fromCharCode(97 + (number % 26))
}

/** Truncates a value at the start, because values differ at the end. */
function truncated(text: string, { maxLength }: Field): string {
  return maxLength !== null && maxLength > 0 ? text.slice(-maxLength) : text
}

function shapedLike(sample: string, bytes: Buffer): string {
  let index = 0
  const next = (size: number) => (bytes[index++ % bytes.length] ?? 0) % size
  return sample
    .trim()
    .replace(/[A-Z]/g, () => String.fromCharCode(65 + next(26)))
    .replace(/[a-z]/g, () => String.fromCharCode(97 + next(26)))
    .replace(/[0-9]/g, () => String(next(10)))
}
