// Reads what the credential report now shows about the person of a held row, for the operator who decides. Calls the
// service.

import type { Hasher } from '#src/domain/credential/identity-hasher.ts'
import { foldedText } from '#src/domain/credential/person-index.ts'
import { allStatusIds } from '#src/domain/credential/report-status.ts'
import { keyWithRole } from '#src/domain/recipient/field-role.ts'
import type { Issuer } from '#src/issuer/issuer.ts'
import { differingFields, samePhone } from '#src/issuing/reconcile/compare-person.ts'
import { type ItemAsShown, readItem } from '#src/issuing/reconcile/read-report-item.ts'
import type { HeldRow, ReportItemName } from '#src/ledger/rows-to-decide.ts'

export interface ShownItem {
  /** The item's id in the ledger. */
  key: string
  item: ItemAsShown
  /** Whether the row is held because of this item. */
  isClaimed: boolean
  /** The fields in which the item differs from what was sent. */
  differing: string[]
}

export interface ShownItems {
  items: ShownItem[]
  /** The number of the person's items that the current user may not see. */
  hidden: number
  /** Whether the report may show more items of the person than were read or can reasonably be compared. */
  isPart: boolean
}

interface ReportSource {
  issuer: Pick<Issuer, 'reportPages'>
  ledger: { hasher: Hasher }
  tuning: { pageSize: number }
}

/** @returns the keys of the items that may be shown */
type MayShow = (items: readonly ReportItemName[]) => Promise<readonly string[]>

/**
 * Enough for several people who share an address, and for a person with many certificates. Nobody would compare more
 * items.
 */
export const mostItems = 40

/** Limits the reading if the service ignores the search and returns the whole report. */
const mostPages = 5

/**
 * Finds the person's items: first the item of the row, then the others, starting with those that differ least from what
 * was sent. Equally different items are sorted by date, newest first. Returns null if the row has no value to search
 * by.
 * @throws any error from reading the report
 */
export async function findShownItems(
  { issuer, ledger, tuning }: ReportSource,
  recipient: Readonly<Record<string, string>>,
  { claimedItem, credentialId }: Pick<HeldRow, 'claimedItem' | 'credentialId'>,
  mayShow: MayShow = async (items) => items.map(({ key }) => key),
): Promise<ShownItems | null> {
  const keys = Object.keys(recipient)
  const valueWith = (role: 'email' | 'phone') => recipient[keyWithRole(keys, role) ?? ''] || null
  const [email, phone] = [valueWith('email'), valueWith('phone')]
  const searches = [
    email !== null ? { email_: email } : phone !== null ? { contact_number: phone } : null,
    // The item of the row may show another address, which is one of the reasons to hold a row.
    credentialId !== null ? { credential_id: credentialId } : null,
  ].filter((search) => search !== null)
  if (searches.length === 0) return null
  const found = new Map<string, ShownItem & ReportItemName>()
  let isComplete = true
  for (const search of searches) {
    const pages = issuer.reportPages({
      ...{ search: { ...search, issued_status_id: allStatusIds }, sortBy: 'request_date', sortOrder: 'desc' },
      ...{ recordsPerPage: tuning.pageSize, maxPages: mostPages },
    })
    for await (const { items, walk } of pages) {
      if (walk === 'cut') isComplete = false
      for (const item of items) {
        const { key, fingerprint, certificateName } = readItem(item, ledger.hasher)
        const isClaimed = key === claimedItem
        if (isClaimed || isOfPerson(item, { email, phone, credentialId }))
          found.set(key, {
            ...{ key, fingerprint, certificateName },
            ...{ item, isClaimed, differing: differingFields(recipient, personIn(item)) },
          })
      }
    }
    if ([...found.values()].some(({ isClaimed }) => isClaimed)) break
  }
  const all = [...found.values()].sort(
    (a, b) => Number(b.isClaimed) - Number(a.isClaimed) || a.differing.length - b.differing.length,
  )
  const visible = new Set(await mayShow(all))
  const items = all.filter(({ key }) => visible.has(key))
  return {
    items: items.slice(0, mostItems),
    hidden: all.length - items.length,
    isPart: !isComplete || items.length > mostItems,
  }
}

/** It is not documented how the service compares the search key, so the items are compared here. */
function isOfPerson(
  item: ItemAsShown,
  { email, phone, credentialId }: { email: string | null; phone: string | null; credentialId: string | null },
): boolean {
  if (credentialId !== null && item.credential_id === credentialId) return true
  if (email !== null) return foldedText(item.email_ ?? '') === foldedText(email)
  return phone !== null && Boolean(item.contact_number) && samePhone(phone, item.contact_number ?? '')
}

const personIn = (item: ItemAsShown) => ({
  ...{ firstName: item.fname, lastName: item.lname, email: item.email_, contactNumber: item.contact_number },
})
