// Which recipients of a batch are good, and what is wrong with the first that is not.

import { recipientFault } from './check-recipient.ts'
import type { Course } from './course/course.ts'
import type { Mischief } from './mischief/mischief.ts'
import type { Fields } from './read-body.ts'
import { folded, type RequestBook } from './request-book.ts'

export interface Judgement {
  good: Fields[]
  /** Names the first bad recipient's position and field, never a value; null when all are good. */
  fault: string | null
}

// Whether the service takes the good part of a batch with one bad recipient is not documented. Refusing all of it, the
// default, is the reading that a client can be held to: nothing is applied, and the position says where to look.
export function judgeRecipients(
  students: readonly unknown[],
  course: Course,
  book: RequestBook,
  mischief: Mischief,
): Judgement {
  const refusesTwice = mischief.duplicates === 'refuse'
  const judgement: Judgement = { good: [], fault: null }
  const seen = new Set<string>()
  for (const [index, student] of students.entries()) {
    const wrong = recipientFault(student, course.fields)
    const record = student as Fields
    const twice = refusesTwice && wrong === null && isKnown(record, course, book, seen)
    const fault = wrong ?? (twice ? 'was invited to this course already' : null)
    if (fault === null) judgement.good.push(record)
    else judgement.fault ??= `recipient ${index + 1}: ${fault}`
  }
  return judgement
}

// People are told apart by the field that their record names as primary. What became of an earlier request does not matter.
function isKnown(record: Fields, course: Course, book: RequestBook, seen: Set<string>): boolean {
  const primary = record['Primary Value'] === 'Contact Number' ? 'Contact Number' : 'Email'
  const value = String(record[primary])
  const key = `${primary} ${folded(value)}`
  if (seen.has(key)) return true
  seen.add(key)
  const earlier = book.withValue(primary === 'Email' ? 'email_' : 'contact_number', value)
  return earlier.some((request) => request.course.uuid === course.uuid)
}
