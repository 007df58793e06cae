// Finds search keys that the service seems to ignore: items of its report that do not match the search. The
// documentation does not say how the service compares values, or whether it supports every key. Pure.

import { recipientKeys } from '#src/issuer/report/recipient-keys.ts'
import type { ReportSearch } from '#src/issuer/report/report-pages.ts'
import type { ReportItem } from '#src/issuer/wire-shapes.ts'

const comparedKeys = ['certificate_name', 'credential_id', ...recipientKeys] as const

/**
 * Returns the search keys that at least one item does not match. Only letters and digits are compared, and a partial
 * match is enough.
 */
export function ignoredSearchKeys(items: readonly ReportItem[], search: ReportSearch): string[] {
  return comparedKeys.filter((key) => {
    const wanted = lettersAndDigits(search[key] ?? '')
    return items.some((item) => !lettersAndDigits(item[key] ?? '').includes(wanted))
  })
}

function lettersAndDigits(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '')
}
