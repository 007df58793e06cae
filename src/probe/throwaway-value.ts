// A made-up value for one field of the course. It must fit the field's rules, be nobody's, and be told apart from every other value
// that the probe sends. Pure.

import { createHash } from 'node:crypto'
import { checkValue } from '#src/recipients/check-value.ts'
import type { FieldRule } from '#src/recipients/compile-rules.ts'
import { type Field, isChoiceField, isDateField } from '#src/recipients/field.ts'
import { roleOf } from '#src/recipients/field-role.ts'

export interface Who {
  /** Six letters, new for each probe. */
  tag: string
  /** The person's number, 1 to 9. */
  number: number
  /** The field's place in the list: two fields of one person must not have one value. */
  place: number
  /** What the pipeline sends for this field to everybody, if it does. */
  constant: string | null
  /** Whether the course has an e-mail field. */
  hasEmail: boolean
}

/** Shorter ones may be had twice by chance. The numbers that are nobody's are a thousand, and an earlier probe had some of them. */
const shortestOwn = 8

/** The first value made up that the field's rules allow, and whether it is surely this person's alone; null when none fits. */
export function throwawayValue(rule: FieldRule, who: Who): { value: string; own: boolean } | null {
  const own = ownValues(rule.field, who).map((value) => ({
    value,
    own: value.length >= shortestOwn && roleOf(rule.field) !== 'phone',
  }))
  const any = sharedValues(rule, who).map((value) => ({ value, own: false }))
  // A pattern that can't be checked here: what the service itself shows as a sample is the likeliest to pass.
  const unchecked = rule.field.regex.trim() !== '' && rule.pattern === null
  const choices = unchecked ? [...any, ...own] : [...own, ...any]
  return choices.find(({ value }) => value !== '' && checkValue(value, rule).length === 0) ?? null
}

function ownValues(field: Field, who: Who): string[] {
  const { tag, number } = who
  const bytes = createHash('sha256').update(`${tag} ${number} ${field.displayName}`).digest()
  // example.org is reserved for examples (RFC 2606) and takes no mail; .invalid would be surer, but a service may check endings.
  const role = roleOf(field)
  if (role === 'email') return [`credsync-probe-${tag}-${number}@example.org`, `p${tag}${number}@example.org`]
  if (role === 'primary value' || role === 'dial code' || isChoiceField(field) || isDateField(field)) return []
  if (role === 'phone') return phones(bytes, number)
  const letters = `Probe${tag}${letter(number)}${letter(who.place)}`
  const digits = `0${bytes.readBigUInt64BE(0) % 10n ** 7n}`.padEnd(8, '7') + String(number).padStart(2, '0') + who.place
  return [letters, `${letters}${number}`, digits, shapedLike(field.sampleValue, bytes)].map((text) =>
    fitted(text, field),
  )
}

function sharedValues({ field, minDate, maxDate }: FieldRule, who: Who): string[] {
  const { constant, number, place } = who
  const sample = field.sampleValue.trim()
  const given = constant ? [constant] : []
  const role = roleOf(field)
  if (role === 'email') return []
  if (role === 'primary value') return [...given, ...(who.hasEmail ? ['Email'] : []), sample]
  // The dial code of the telephone numbers that are nobody's; a list without its choices may want something else altogether.
  const dial = role === 'dial code' && (!isChoiceField(field) || field.options.length > 0) ? ['+44', '44'] : []
  if (isChoiceField(field)) return [...dial, ...given, ...field.options, sample]
  if (isDateField(field)) return [dayOf(number, place), sample, minDate ?? '', maxDate ?? '']
  if (dial.length > 0) return [...dial, sample]
  // Never a sample as telephone number: it may be somebody's.
  if (role === 'phone') return []
  return [sample, ...given]
}

/** 07700 900000 to 900999 are kept free for drama by Ofcom: no message ever reaches anybody. */
function phones(bytes: Buffer, number: number): string[] {
  const last = String((bytes.readUInt16BE(0) % 100) * 10 + number).padStart(3, '0')
  return ['07700900', '+447700900', '447700900', '7700900'].map((start) => start + last)
}

/** Days of long ago, so that none is the day of issue by chance; another one for each person and field. */
function dayOf(number: number, place: number): string {
  return `${2001 + (place % 9)}-0${number}-${String(1 + (place % 28)).padStart(2, '0')}`
}

function letter(number: number): string {
  return String.fromCharCode(97 + (number % 26))
}

/** The end of it is what differs, so the beginning is what goes. */
function fitted(text: string, { maxLength }: Field): string {
  return maxLength !== null && maxLength > 0 ? text.slice(-maxLength) : text
}

function shapedLike(sample: string, bytes: Buffer): string {
  let at = 0
  const next = (size: number) => (bytes[at++ % bytes.length] ?? 0) % size
  return sample
    .trim()
    .replace(/[A-Z]/g, () => String.fromCharCode(65 + next(26)))
    .replace(/[a-z]/g, () => String.fromCharCode(97 + next(26)))
    .replace(/[0-9]/g, () => String(next(10)))
}
