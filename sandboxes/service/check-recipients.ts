// Finds the first invalid recipient of a batch. Pure.

import { recipientFault } from './check-recipient.ts'
import type { CourseRecord } from './course.ts'
import type { Faults } from './faults/faults.ts'
import type { Fields } from './read-body.ts'
import { folded, type RequestStore } from './request-store.ts'

/**
 * Returns the position and field of the first invalid recipient, never a value; null if all are valid. The documentation
 * does not say whether the service accepts the valid part of a batch with one bad recipient. The sandbox refuses the
 * whole batch, so that clients know that nothing was applied.
 */
export function firstInvalidRecipient(
  students: readonly unknown[],
  course: CourseRecord,
  store: RequestStore,
  faults: Faults,
): string | null {
  const seen = new Set<string>()
  for (const [index, student] of students.entries()) {
    const isDuplicate = () => faults.duplicates === 'refuse' && isKnown(student as Fields, course, store, seen)
    const fault =
      recipientFault(student, course.fields) ?? (isDuplicate() ? 'was already invited to this course' : null)
    if (fault !== null) return `recipient ${index + 1}: ${fault}`
  }
  return null
}

// A person is identified by the field that the record names as primary, whatever the outcome of an earlier request.
function isKnown(record: Fields, course: CourseRecord, store: RequestStore, seen: Set<string>): boolean {
  const primary = record['Primary Value'] === 'Contact Number' ? 'Contact Number' : 'Email'
  const value = String(record[primary])
  const key = `${primary} ${folded(value)}`
  if (seen.has(key)) return true
  seen.add(key)
  const earlier = store.withValue(primary === 'Email' ? 'email_' : 'contact_number', value)
  return earlier.some((request) => request.course.uuid === course.uuid)
}
