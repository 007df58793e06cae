// A notice of `check` about a course that already has credentials in the report but none in this ledger: its first list
// would wait for a decision. Never a fault. Calls the service and reads the ledger.

import type { App } from '#src/app/app.ts'
import { checkFirstList } from '#src/issuing/reconcile/check-first-list.ts'
import { safeMessage } from '#src/platform/safe-message.ts'

/** @returns an empty list if there is nothing to report */
export async function firstListNotices(
  { issuer, ledger }: Pick<App, 'issuer' | 'ledger'>,
  course: string,
  pageSize: number,
): Promise<string[]> {
  try {
    // There is no list yet, so only the name of the course is searched for.
    const shows = await checkFirstList({ issuer, ledger, pageSize }, { course, people: [], correlation: null })
    return shows === null ? [] : [`a first list would wait. ${shows}`]
  } catch (error) {
    return [`the report could not be checked for this course, so a first list would wait: ${safeMessage(error)}`]
  }
}
