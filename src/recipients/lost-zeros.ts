// Which columns hold digits that are not a number: phones, register numbers, postal codes, ids.

import { wordsIn } from './name-words.ts'

const words =
  /^(?:phones?|telephone|tel|telefon|mobile|mobil|handy|whatsapp|fax|contact|contactno|dial|dialcode|isd|zip|zipcode|postal|postalcode|postcode|pincode|plz|reg|regno|regn|register|registration|roll|rollno|enrol|enroll|enrolment|enrollment|unique|uniqueno|uid|uuid|ids?|member|members|membership|cert|certno|passport|serial|matriculation|matrikel)$/
const numberWords = /^(?:no|nr|num|number|nummer)$/

/**
 * Whether a spreadsheet's number in a column of this name has lost its leading zeros or plus sign, or is about to be written
 * as 1.23E+11. By name, because the damage can't be seen in the value: 15112345678 was a phone number with or without a zero.
 */
export function losesZeros(name: string): boolean {
  const parts = wordsIn(name)
  // "Seat number" and "Batch no" are identifiers; "Number of hours" is a number.
  return parts.some((part) => words.test(part)) || (parts.length > 1 && numberWords.test(parts.at(-1) ?? ''))
}
