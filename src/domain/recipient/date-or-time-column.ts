// Recognizes, by their names, columns that contain dates or times, even if the course defines them as text. Pure.

import { wordsIn } from './header-words.ts'

// “Candidate” and “Update” end in “date” too, so the compounds are listed.
const words =
  /^(?:dates?|(?:birth|start|end|exam|issue|expiry|completion)date|datum|.*datum|dob|born|birth|birthdays?|days?|tag|months?|monat|years?|jahr|times?|uhrzeit|zeit|hours?|minutes?|duration|dauer|from|until|till|since|bis|valid|expires?|expiry|fecha|data|datas)$/

// “Completed on”, “Erstellt am”, “Délivré le”: a preposition at the end of a name that introduces a date.
const leadingWords = /^(?:on|at|am|seit|ab|le|depuis|il|dal|el|desde|op|sinds)$/

/** @returns true if a column of this name is expected to hold a date or a time */
export function isDateOrTimeColumn(name: string): boolean {
  const parts = wordsIn(name)
  return parts.some((word) => words.test(word)) || (parts.length > 1 && leadingWords.test(parts.at(-1) ?? ''))
}

const birthWords =
  /^(?:dob|born|birth|birthdays?|birthdate|geburtsdatum|geboren|naissance|nacimiento|nascita|nascimento)$/

/** @returns true if a column of this name is expected to hold a date of birth */
export function isBirthDateColumn(name: string): boolean {
  return wordsIn(name).some((word) => birthWords.test(word))
}
