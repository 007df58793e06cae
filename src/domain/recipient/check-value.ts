// Checks one filled value against the rules of its field. Pure.

import { cleanText } from './clean-text.ts'
import type { FieldRule } from './compile-rules.ts'
import { countCharacters } from './mask-value.ts'
import { nearestName } from './nearest-name.ts'
import { numberBreach } from './number-limits.ts'
import type { Breach } from './violation.ts'

const maxSampleLength = 80

/**
 * Finds every breach of the field's length, pattern, options and limits. Dates must already be YYYY-MM-DD. Lengths are
 * counted in code points after normalizing: how the service counts is not documented, and this count refuses no value
 * that the service might accept.
 */
export function checkValue(value: string, rule: FieldRule): Breach[] {
  const { maxLength } = rule.field
  // A value that is too long is not also matched against the pattern, because the pattern is untrusted and people fix
  // the length first.
  if (maxLength !== null && maxLength > 0 && countCharacters(value) > maxLength) return [tooLong(value, maxLength)]
  const breaches: Breach[] = []
  if (rule.pattern && !rule.pattern.test(value)) breaches.push(noMatch(rule))
  if (rule.options && !rule.options.has(value)) breaches.push(noOption(value, rule.options))
  if (rule.minDate !== null && value < rule.minDate)
    breaches.push(beyond('min_date', 'before the first date', `${rule.minDate} or later`))
  if (rule.maxDate !== null && value > rule.maxDate)
    breaches.push(beyond('max_date', 'after the last date', `${rule.maxDate} or earlier`))
  const limitBreach = rule.numbers && numberBreach(value, rule.numbers)
  if (limitBreach) breaches.push(limitBreach)
  return breaches
}

function tooLong(value: string, maxLength: number): Breach {
  const wrong = `which is ${countCharacters(value)} characters long, and the course allows ${maxLength}`
  return { rule: 'max_length', wrong, remedy: `Shorten the value to ${maxLength} characters.` }
}

function noMatch({ field, pattern }: FieldRule): Breach {
  const wrong = `which does not have the form that the course requires for “${field.displayName}”`
  const sample = cleanText(field.sampleValue)
  // No one tests the samples, so one that does not match its own pattern is not shown as advice.
  const isUsefulSample =
    sample !== '' && sample.length <= maxSampleLength && !/\p{C}/u.test(sample) && pattern?.test(sample)
  return { rule: 'pattern', wrong, remedy: isUsefulSample ? `Write it like ${sample}.` : 'Correct the value.' }
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
    remedy: near ? `Did you mean “${near}”? Write it exactly like that.` : `Write one of: ${shown}.`,
  }
}

function beyond(rule: 'min_date' | 'max_date', where: string, allowed: string): Breach {
  return { rule, wrong: `which is ${where} that the course allows`, remedy: `Enter ${allowed}.` }
}
