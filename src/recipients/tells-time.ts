// Which columns hold dates and times, also where the course takes them as text.

import { wordsIn } from './name-words.ts'

// “Candidate” and “Update” end like dates, so the compounds are listed.
const words =
  /^(?:dates?|(?:birth|start|end|exam|issue|expiry|completion)date|datum|.*datum|dob|born|birth|birthdays?|days?|tag|months?|monat|years?|jahr|times?|uhrzeit|zeit|hours?|minutes?|duration|dauer|from|until|till|since|bis|valid|expires?|expiry|fecha|data|datas)$/

// “Completed on”, “Erstellt am”, “Délivré le”: a word that leads to a date, at the end of a name.
const leadingWords = /^(?:on|at|am|seit|ab|le|depuis|il|dal|el|desde|op|sinds)$/

/** Whether a date or a time is what a column of this name is expected to hold. */
export function tellsTime(name: string): boolean {
  const parts = wordsIn(name)
  return parts.some((word) => words.test(word)) || (parts.length > 1 && leadingWords.test(parts.at(-1) ?? ''))
}
