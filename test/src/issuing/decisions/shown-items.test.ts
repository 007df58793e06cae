// What the report shows of a held row's person: only items of this person, the one that the row is held for first.

import { expect, test } from 'vitest'
import { Hasher } from '#src/domain/credential/identity-hasher.ts'
import { findShownItems } from '#src/issuing/decisions/shown-items.ts'
import type { ItemAsShown } from '#src/issuing/reconcile/read-report-item.ts'
import { aRecipient, aReportItem } from '#test/support/domain-objects.ts'

const held = { claimedItem: null, credentialId: null }
const ada = aRecipient(1)

/** A report that shows these items whatever is searched for, or only those of `bySearch`. */
function reportOf(items: ItemAsShown[], bySearch: Record<string, ItemAsShown[]> = {}) {
  const searches: string[] = []
  const issuer = {
    reportPage: async ({ search }: { search: Record<string, unknown> }) => {
      const [key = ''] = Object.keys(search)
      searches.push(key)
      return { items: bySearch[key] ?? items }
    },
  }
  return {
    searches,
    source: { issuer, ledger: { hasher: new Hasher(Buffer.alloc(32)) }, tuning: { pageSize: 10 } },
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

test('no more items are shown than fit side by side', async () => {
  const items = Array.from({ length: 9 }, (_, at) => aReportItem(ada, { entity_uuid: `item-${at}` }))
  expect(await findShownItems(reportOf(items).source, ada, { ...held, claimedItem: 'item-8' })).toMatchObject({
    items: [{ item: { entity_uuid: 'item-8' } }, ...[0, 1, 2].map((at) => ({ item: { entity_uuid: `item-${at}` } }))],
    hidden: 0,
  })
})

test('what may not be shown is counted, and takes no place of what may', async () => {
  const items = Array.from({ length: 9 }, (_, at) => aReportItem(ada, { entity_uuid: `item-${at}` }))
  const visible = ['item-7', 'item-8']
  const found = await findShownItems(reportOf(items).source, ada, held, async () => visible)
  expect([found?.items.map(({ key }) => key), found?.hidden]).toEqual([visible, 7])
})
