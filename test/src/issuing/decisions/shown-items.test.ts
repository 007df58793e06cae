// What the report shows of a held row's person: only items of this person, the one that the row is held for first.

import { expect, test } from 'vitest'
import { Hasher } from '#src/domain/credential/identity-hasher.ts'
import type { ReportPage, ReportQuery } from '#src/issuer/report/report-pages.ts'
import { findShownItems, mostItems } from '#src/issuing/decisions/shown-items.ts'
import type { ItemAsShown } from '#src/issuing/reconcile/read-report-item.ts'
import { aRecipient, aReportItem } from '#test/support/domain-objects.ts'

const held = { claimedItem: null, credentialId: null }
const ada = aRecipient(1)

/** A report that shows these items whatever is searched for, or only those of `bySearch`, in pages of ten. */
function reportOf(items: ItemAsShown[], bySearch: Record<string, ItemAsShown[]> = {}) {
  const searches: string[] = []
  let pages = 0
  async function* reportPages({ search = {}, recordsPerPage = 100, maxPages = 1_000 }: ReportQuery) {
    const [key = ''] = Object.keys(search)
    searches.push(key)
    const found = (bySearch[key] ?? items) as ReportPage['items']
    for (let at = 0; at === 0 || at * recordsPerPage < found.length; at++) {
      pages++
      const isLast = (at + 1) * recordsPerPage >= found.length
      const walk = isLast ? ('complete' as const) : at + 1 === maxPages ? ('cut' as const) : ('more' as const)
      const part = found.slice(at * recordsPerPage, (at + 1) * recordsPerPage)
      yield { items: part, pageNumber: at + 1, filteredRecords: found.length, totalRecords: null, walk }
      if (walk === 'cut') return
    }
  }
  return {
    searches,
    pages: () => pages,
    source: { issuer: { reportPages }, ledger: { hasher: new Hasher(Buffer.alloc(32)) }, tuning: { pageSize: 10 } },
  }
}

test('items of other people are left out, because the service may ignore what is searched for', async () => {
  const [own, other] = [aReportItem(ada), aReportItem(aRecipient(2))]
  const { source, searches } = reportOf([other, { ...own, email_: 'PERSON.1@example.org' }])
  const found = await findShownItems(source, ada, held)
  expect(found?.items.map(({ item, isClaimed, differing }) => [item.entity_uuid, isClaimed, differing])).toEqual([
    [own.entity_uuid, false, []],
  ])
  expect(searches).toEqual(['email_'])
})

test('the item that the row is held for comes first, with the fields in which it differs', async () => {
  const claimed = aReportItem(ada, { entity_uuid: 'claimed', lname: 'Byron', fname: ' ada1 ' })
  const { source } = reportOf([aReportItem(ada), claimed])
  const found = await findShownItems(source, ada, { ...held, claimedItem: 'claimed' })
  expect(found?.items.map(({ item, isClaimed, differing }) => [item.entity_uuid, isClaimed, differing])).toEqual([
    ['claimed', true, ['Last Name']],
    [aReportItem(ada).entity_uuid, false, []],
  ])
})

test('an item with another address is found by its credential', async () => {
  const claimed = aReportItem(ada, { entity_uuid: 'claimed', email_: 'other@example.org', credential_id: '1-2' })
  const { source, searches } = reportOf([], { credential_id: [claimed, aReportItem(aRecipient(2))] })
  const found = await findShownItems(source, ada, { claimedItem: 'claimed', credentialId: '1-2' })
  expect(found?.items.map(({ differing }) => differing)).toEqual([['Email']])
  expect(searches).toEqual(['email_', 'credential_id'])
})

test('a person without an address is found by number, and one without either is not searched for', async () => {
  const { Email: _, ...rest } = aRecipient(1, { 'Contact Number': '+91 98765 43210' })
  const own = aReportItem(rest, { entity_uuid: 'own', contact_number: '9876543210' })
  const { source, searches } = reportOf([own, { ...own, entity_uuid: 'b', contact_number: '1234567890' }])
  const found = await findShownItems(source, rest, held)
  expect(found?.items.map(({ item }) => item.entity_uuid)).toEqual(['own'])
  expect(await findShownItems(source, { 'First Name': 'Ada1' }, held)).toBeNull()
  expect(searches).toEqual(['contact_number'])
})

const certificates = (count: number) =>
  Array.from({ length: count }, (_, at) => aReportItem(ada, { entity_uuid: `item-${at}` }))

test('every item of somebody who has many is shown, those that differ least before the others', async () => {
  const others = certificates(30).map((item) => ({ ...item, fname: 'Grace' }))
  const own = aReportItem(ada, { entity_uuid: 'own' })
  const claimed = aReportItem(ada, { entity_uuid: 'claimed', fname: 'Grace', lname: 'Hopper' })
  const { source, pages } = reportOf([...others, own, claimed])
  const found = await findShownItems(source, ada, { ...held, claimedItem: 'claimed' })
  expect(found?.items.map(({ key }) => key)).toEqual(['claimed', 'own', ...others.map((item) => item.entity_uuid)])
  expect([found?.isPart, pages()]).toEqual([false, 4])
})

test('more items than anybody would compare are not said to be all', async () => {
  const shown = async (count: number) => {
    const found = await findShownItems(reportOf(certificates(count)).source, ada, held)
    return [found?.items.length, found?.isPart]
  }
  expect(await shown(mostItems)).toEqual([mostItems, false])
  expect(await shown(mostItems + 1)).toEqual([mostItems, true])
})

test('of a report that is not searched some pages are read, and what they show is not said to be all', async () => {
  const { source, pages } = reportOf([
    ...certificates(1),
    ...Array.from({ length: 60 }, () => aReportItem(aRecipient(2))),
  ])
  const found = await findShownItems(source, ada, held)
  expect([found?.items.length, found?.isPart, pages()]).toEqual([1, true, 5])
})

test('what may not be shown is counted, and takes no place of what may', async () => {
  const items = Array.from({ length: 9 }, (_, at) => aReportItem(ada, { entity_uuid: `item-${at}` }))
  const visible = ['item-7', 'item-8']
  const found = await findShownItems(reportOf(items).source, ada, held, async () => visible)
  expect([found?.items.map(({ key }) => key), found?.hidden]).toEqual([visible, 7])
})
