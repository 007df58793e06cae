// Which columns hold dates and times, also where the course takes them as text.

import { wordsIn } from './name-words.ts'

// “Candidate” and “Update” end like dates, so the compounds are listed.
const words =
  /^(?:dates?|(?:birth|start|end|exam|issue|expiry|completion)date|datum|.*datum|dob|born|birth|birthdays?|days?|tag|months?|monat|years?|jahr|times?|uhrzeit|zeit|hours?|minutes?|duration|dauer|from|until|till|since|bis|valid|expires?|expiry|fecha|data|datas)$/

/** Whether a date or a time is what a column of this name is expected to hold. */
export function tellsTime(name: string): boolean {
  return wordsIn(name).some((word) => words.test(word))
}
