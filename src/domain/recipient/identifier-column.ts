// Recognizes, by their names, columns whose digits are identifiers and not numbers: phone numbers, register numbers,
// postal codes, ids. Pure.

import { wordsIn } from './header-words.ts'

const words =
  /^(?:phones?|telephone|tel|telefon|mobil|handy|whatsapp|fax|contactno|dialcode|isd|zip|zipcode|postal|postalcode|postcode|pincode|plz|regno|regn|rollno|uniqueno|uid|uuid|ids?|certno|passport|serial|matriculation|matrikel)$/
// These words may also begin the name of a figure: “Member since” contains a year, “Contact hours” a number.
const inNamesOfFigures =
  /^(?:mobile|contact|dial|reg|register|registration|roll|enrol|enroll|enrolment|enrollment|unique|members?|membership|cert)$/
const figures =
  /^(?:hours?|minutes?|days?|weeks?|months?|years?|since|until|till|from|date|dates|duration|age|counts?|total|sum|fees?|amount|price|cost|points?|credits?|score|marks?|percent|percentage|sessions?|lessons?|times?)$/
const numberWords = /^(?:no|nr|num|number|nummer)$/

/**
 * Decides by a column's name whether its values are identifiers, in which case a number cell may have lost leading
 * zeros or a plus sign, or may have been shortened to 1.23E+11. The value itself does not show that: 15112345678 may
 * have been a phone number with a leading zero or without one.
 */
export function isIdentifierColumn(name: string): boolean {
  const parts = wordsIn(name)
  if (parts.some((part) => words.test(part))) return true
  // "Seat number" and "Batch no" are identifiers; "Number of hours" is a number.
  if (parts.length > 1 && numberWords.test(parts.at(-1) ?? '')) return true
  const named = parts.flatMap((part, at) => (inNamesOfFigures.test(part) ? [parts[at + 1] ?? ''] : []))
  if (named.length === 0) return false
  // “Roll no this year” is an identifier, although it contains the word “year”.
  return named.some((next) => numberWords.test(next)) || !parts.some((part) => figures.test(part))
}
