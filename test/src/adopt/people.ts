// Report items of one course as an adoption reads them, for the tests of it.

import { carryOutAdoption, rehearseAdoption } from '#src/adopt/adopt.ts'
import { type Gathered, gatherPeople } from '#src/adopt/gather-people.ts'
import { type CourseReading, readCourse } from '#src/adopt/read-course.ts'
import { openRecipientReader, type RecipientReaderInput } from '#src/adopt/shown-recipient.ts'
import { Hasher } from '#src/issuance/identity.ts'
import type { ReportItem } from '#src/issuer/wire.ts'
import type { AdoptionOf } from '#src/ledger/adoptions.ts'
import type { ReportItemShown } from '#src/reconcile/read-item.ts'
import { aCourse, aRecipient, aReportItem } from '#test/support/build.ts'
import { sandboxFields } from '#test/support/sandbox-fields.ts'

export const of: AdoptionOf = { pipeline: 'spring', course: aCourse, certificate: 'Welding' }
export const someHasher = new Hasher(Buffer.alloc(32, 7))

export function readerFor(hasher: Hasher, more: Partial<RecipientReaderInput> = {}) {
  const pipeline = { columns: { 'Primary Value': { value: 'Email' } }, identity: [], occurrence: [], ...more.pipeline }
  return openRecipientReader({
    ...{ course: aCourse, fields: sandboxFields, hasher, echoes: [], plainNumbers: false },
    ...more,
    pipeline,
  })
}

/** What the report shows of person `n`; an item of its own for each `turn`. */
export function itemOf(n: number, more: Partial<ReportItemShown> = {}, turn = 1): ReportItem {
  const ids = { entity_uuid: `entity-${n}-${turn}`, credential_id: `${n}-${turn}` }
  return aReportItem(aRecipient(n), { ...ids, ...more }) as ReportItem
}

/** The reading of a report that shows these items, by pages of so many. */
export function reading(
  items: readonly ReportItem[],
  hasher: Hasher,
  { promised = items.length, page = 200 } = {},
): Promise<CourseReading> {
  async function* reportPages() {
    for (let at = 0; at === 0 || at < items.length; at += page)
      yield {
        items: items.slice(at, at + page),
        filteredRecords: promised,
        walk: at + page < items.length ? ('more' as const) : ('complete' as const),
      }
  }
  const { signal } = new AbortController()
  return readCourse({ issuer: { reportPages }, hasher, now: () => new Date(), pageSize: page, signal }, 'Welding')
}

export async function gathered(
  items: readonly ReportItem[],
  hasher: Hasher,
  reader = readerFor(hasher),
): Promise<Gathered> {
  return gatherPeople((await reading(items, hasher)).items, reader)
}

type Verbs = Parameters<typeof carryOutAdoption>[0] & Parameters<typeof rehearseAdoption>[0]

/** Adopts what the report shows; the numbers alone. */
export async function adopted(
  { adoptions, hasher }: { adoptions: Verbs; hasher: Hasher },
  items: readonly ReportItem[],
  signal = new AbortController().signal,
) {
  const { people } = await gathered(items, hasher)
  const foretold = await rehearseAdoption(adoptions, of.course, people)
  const { left, ...tally } = await carryOutAdoption(adoptions, of, people, { signal })
  const reasons = left.list().map(({ because }) => because)
  return { ...tally, left: reasons, foretold: foretold.adopted + foretold.taken }
}
