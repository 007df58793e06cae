// Separates the valid recipients of a batch from the invalid ones, and describes the first invalid one. Pure.

import { recipientFault } from './check-recipient.ts'
import type { CourseRecord } from './course.ts'
import type { Faults } from './faults/faults.ts'
import type { Fields } from './read-body.ts'
import { folded, type RequestStore } from './request-store.ts'

export interface RecipientCheck {
  valid: Fields[]
  /** Names the position and field of the first invalid recipient, never a value; null if all are valid. */
  fault: string | null
}

// The documentation does not say whether the service accepts the valid part of a batch with one bad recipient. By
// default the sandbox refuses the whole batch and names the position, so that clients know that nothing was applied.
export function checkRecipients(
  students: readonly unknown[],
  course: CourseRecord,
  store: RequestStore,
  faults: Faults,
): RecipientCheck {
  const refusesDuplicates = faults.duplicates === 'refuse'
  const check: RecipientCheck = { valid: [], fault: null }
  const seen = new Set<string>()
  for (const [index, student] of students.entries()) {
    const invalidReason = recipientFault(student, course.fields)
    const record = student as Fields
    const isDuplicate = refusesDuplicates && invalidReason === null && isKnown(record, course, store, seen)
    const fault = invalidReason ?? (isDuplicate ? 'was already invited to this course' : null)
    if (fault === null) check.valid.push(record)
    else check.fault ??= `recipient ${index + 1}: ${fault}`
  }
  return check
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
