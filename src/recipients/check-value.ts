// The rules of one field for one value that is filled.

import type { FieldRule } from './compile-rules.ts'
import { countCharacters } from './mask-value.ts'
import { nearestName } from './nearest-name.ts'
import type { Breach } from './violation.ts'

/** What `value` breaks of its field's length, pattern, options and date limits; a date is YYYY-MM-DD by now. */
export function checkValue(value: string, rule: FieldRule): Breach[] {
  const { maxLength } = rule.field
  // A value that is too long is not matched as well: the pattern is hostile, and the length is what people fix first.
  if (maxLength !== null && maxLength > 0 && countCharacters(value) > maxLength) return [tooLong(value, maxLength)]
  const breaches: Breach[] = []
  if (rule.pattern && !rule.pattern.test(value)) breaches.push(noMatch(rule))
  if (rule.options && !rule.options.has(value)) breaches.push(noOption(value, rule.options))
  if (rule.minDate !== null && value < rule.minDate) breaches.push(tooEarly(rule.minDate))
  if (rule.maxDate !== null && value > rule.maxDate) breaches.push(tooLate(rule.maxDate))
  return breaches
}

function tooLong(value: string, maxLength: number): Breach {
  const wrong = `which is ${countCharacters(value)} characters long where the course takes ${maxLength}`
  return { rule: 'max_length', wrong, remedy: `Shorten it to ${maxLength} characters.` }
}

function noMatch({ field }: FieldRule): Breach {
  const wrong = `which is not written as the course wants “${field.displayName}”`
  const sample = field.sampleValue.trim()
  const remedy = sample === '' ? 'Correct it in the file.' : `Write it like ${sample}.`
  return { rule: 'pattern', wrong, remedy }
}

function noOption(value: string, options: ReadonlySet<string>): Breach {
  const near = nearestName(value, options)
  const list = [...options]
  const shown =
    list
      .slice(0, 10)
      .map((option) => `“${option}”`)
      .join(', ') + (list.length > 10 ? ` and ${list.length - 10} more` : '')
  const wrong = 'which is not among the options of the course'
  return {
    rule: 'option',
    wrong,
    remedy: near ? `Did you mean “${near}”? Write it exactly so.` : `Write one of: ${shown}.`,
  }
}

function tooEarly(limit: string): Breach {
  return {
    rule: 'min_date',
    wrong: 'which is before the first date the course takes',
    remedy: `Give ${limit} or later.`,
  }
}

function tooLate(limit: string): Breach {
  return {
    rule: 'max_date',
    wrong: 'which is after the last date the course takes',
    remedy: `Give ${limit} or earlier.`,
  }
}
