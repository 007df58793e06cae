// The rules of one field for one value that is filled.

import { cleanText } from './clean-text.ts'
import type { FieldRule } from './compile-rules.ts'
import { emailBreach } from './email-breach.ts'
import { countCharacters } from './mask-value.ts'
import { nearestName } from './nearest-name.ts'
import { numberBreach } from './number-limits.ts'
import type { Breach } from './violation.ts'

const longestSample = 80

/**
 * What `value` breaks of its field's length, form, options and limits; a date is YYYY-MM-DD by now. Lengths are in characters as
 * Unicode counts them (code points), after normalising: whether the service counts so is not documented, and it is the count that
 * refuses nobody who might be taken.
 */
export function checkValue(value: string, rule: FieldRule): Breach[] {
  const { maxLength } = rule.field
  // A value that is too long is not matched as well: the pattern is hostile, and the length is what people fix first.
  if (maxLength !== null && maxLength > 0 && countCharacters(value) > maxLength) return [tooLong(value, maxLength)]
  const breaches: Breach[] = []
  const noAddress = rule.isEmail ? emailBreach(value) : null
  // A pattern for addresses says the same as "it has no @", in words that help nobody.
  if (noAddress) breaches.push(noAddress)
  else if (rule.pattern && !rule.pattern.test(value)) breaches.push(noMatch(rule))
  if (rule.options && !rule.options.has(value)) breaches.push(noOption(value, rule.options))
  if (rule.minDate !== null && value < rule.minDate) breaches.push(tooEarly(rule.minDate))
  if (rule.maxDate !== null && value > rule.maxDate) breaches.push(tooLate(rule.maxDate))
  const outside = rule.numbers && numberBreach(value, rule.numbers)
  if (outside) breaches.push(outside)
  return breaches
}

function tooLong(value: string, maxLength: number): Breach {
  const wrong = `which is ${countCharacters(value)} characters long where the course takes ${maxLength}`
  return { rule: 'max_length', wrong, remedy: `Shorten it to ${maxLength} characters.` }
}

function noMatch({ field, pattern }: FieldRule): Breach {
  const wrong = `which is not written as the course wants “${field.displayName}”`
  const sample = cleanText(field.sampleValue)
  // Samples are written by somebody who does not test them: one that breaks the pattern itself is no advice.
  const advises = sample !== '' && sample.length <= longestSample && !/\p{C}/u.test(sample) && pattern?.test(sample)
  return { rule: 'pattern', wrong, remedy: advises ? `Write it like ${sample}.` : 'Correct it in the file.' }
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
