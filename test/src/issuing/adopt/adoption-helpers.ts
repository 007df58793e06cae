// Helpers for the tests of adoption: report items of one course, scans of a report, and adoptions.

import { Hasher } from '#src/domain/credential/identity-hasher.ts'
import type { ReportItem } from '#src/issuer/wire-shapes.ts'
import { carryOutAdoption, dryRunAdoption } from '#src/issuing/adopt/adopt.ts'
import { type GatheredPeople, gatherPeople } from '#src/issuing/adopt/gather-people.ts'
import { type CourseReading, readCourseItems } from '#src/issuing/adopt/read-course-items.ts'
import { openRecipientReader, type RecipientReaderInput } from '#src/issuing/adopt/recipient-reader.ts'
import type { ItemAsShown } from '#src/issuing/reconcile/read-report-item.ts'
import type { AdoptionScope } from '#src/ledger/report/adoptions.ts'
import { aCourse, aRecipient, aReportItem } from '#test/support/domain-objects.ts'
import { sandboxFields } from '#test/support/sandbox-fields.ts'

export const testAdoption: AdoptionScope = { pipeline: 'spring', course: aCourse, certificateName: 'Welding' }
export const testHasher = new Hasher(Buffer.alloc(32, 7))

/** A reader of recipients with the fields of the sandbox, unless `more` has others. */
export function readerFor(hasher: Hasher, more: Partial<RecipientReaderInput> = {}) {
  const pipeline = { columns: { 'Primary Value': { value: 'Email' } }, identity: [], occurrence: [], ...more.pipeline }
  return openRecipientReader({
    ...{ course: aCourse, fields: sandboxFields, hasher, echoes: [], plainNumbers: false },
    ...more,
    pipeline,
  })
}

/** The report item of person `n`. Each `version` gives a different item of the same person. */
export function itemOf(n: number, more: Partial<ItemAsShown> = {}, version = 1): ReportItem {
  const ids = { entity_uuid: `entity-${n}-${version}`, credential_id: `${n}-${version}` }
  return aReportItem(aRecipient(n), { ...ids, ...more }) as ReportItem
}

/**
 * Reads a report with these items, in pages of the given size. `filteredRecords` is the number of items that the
 * service counts.
 */
export function readItems(
  items: readonly ReportItem[],
  hasher: Hasher,
  { filteredRecords = items.length, pageSize = 200 } = {},
): Promise<CourseReading> {
  async function* reportPages() {
    for (let at = 0; at === 0 || at < items.length; at += pageSize)
      yield {
        items: items.slice(at, at + pageSize),
        filteredRecords,
        walk: at + pageSize < items.length ? ('more' as const) : ('complete' as const),
      }
  }
  const { signal } = new AbortController()
  return readCourseItems({ issuer: { reportPages }, hasher, now: () => new Date(), pageSize, signal }, 'Welding')
}

/** Reads these items and groups them by person. */
export async function gatherItems(
  items: readonly ReportItem[],
  hasher: Hasher,
  reader = readerFor(hasher),
): Promise<GatheredPeople> {
  return gatherPeople((await readItems(items, hasher)).items, reader)
}

type AdoptionVerbs = Parameters<typeof carryOutAdoption>[0] & Parameters<typeof dryRunAdoption>[0]

/**
 * Adopts what the report shows. Returns the counts, and `dryRunCount`: how many items a dry run would adopt or assign
 * to rows.
 */
export async function adoptItems(
  { adoptions, hasher }: { adoptions: AdoptionVerbs; hasher: Hasher },
  items: readonly ReportItem[],
  { signal = new AbortController().signal, reader = readerFor(hasher) } = {},
) {
  const { comparison } = reader
  const { people } = await gatherItems(items, hasher, reader)
  const dryRunCount = await dryRunAdoption(adoptions, testAdoption.course, people, comparison)
  const { left, ...tally } = await carryOutAdoption(adoptions, testAdoption, people, { comparison, signal })
  const reasons = left.list().map(({ because }) => because)
  return { ...tally, left: reasons, dryRunCount: dryRunCount.adopted + dryRunCount.taken }
}
