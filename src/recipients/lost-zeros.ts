// Which columns hold digits that are not a number: phones, register numbers, postal codes, ids.

import { wordsIn } from './name-words.ts'

const words =
  /^(?:phones?|telephone|tel|telefon|mobil|handy|whatsapp|fax|contactno|dialcode|isd|zip|zipcode|postal|postalcode|postcode|pincode|plz|regno|regn|rollno|uniqueno|uid|uuid|ids?|certno|passport|serial|matriculation|matrikel)$/
// Of a member or a contact there are figures too: “Member since” holds a year, “Contact hours” a number.
const inNamesOfFigures =
  /^(?:mobile|contact|dial|reg|register|registration|roll|enrol|enroll|enrolment|enrollment|unique|members?|membership|cert)$/
const figures =
  /^(?:hours?|minutes?|days?|weeks?|months?|years?|since|until|till|from|date|dates|duration|age|counts?|total|sum|fees?|amount|price|cost|points?|credits?|score|marks?|percent|percentage|sessions?|lessons?|times?)$/
const numberWords = /^(?:no|nr|num|number|nummer)$/

/**
 * Whether a spreadsheet's number in a column of this name has lost its leading zeros or plus sign, or is about to be written
 * as 1.23E+11. By name, because the damage can't be seen in the value: 15112345678 was a phone number with or without a zero.
 */
export function losesZeros(name: string): boolean {
  const parts = wordsIn(name)
  if (parts.some((part) => words.test(part))) return true
  // "Seat number" and "Batch no" are identifiers; "Number of hours" is a number.
  if (parts.length > 1 && numberWords.test(parts.at(-1) ?? '')) return true
  const named = parts.flatMap((part, at) => (inNamesOfFigures.test(part) ? [parts[at + 1] ?? ''] : []))
  if (named.length === 0) return false
  // “Roll no this year” is one all the same.
  return named.some((next) => numberWords.test(next)) || !parts.some((part) => figures.test(part))
}
