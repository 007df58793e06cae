// Which items of the service's report do not show what was searched for: how it compares is not documented, nor that it hears each key. Pure.

import type { ReportSearch } from '#src/issuer/report.ts'
import { recipientKeys } from '#src/issuer/report-keys.ts'
import type { ReportItem } from '#src/issuer/wire.ts'

const compared = ['certificate_name', 'credential_id', ...recipientKeys] as const

/** The keys of the search that some item does not bear: letters and digits count, and a part is enough. */
export function unheardKeys(items: readonly ReportItem[], search: ReportSearch): string[] {
  return compared.filter((key) => {
    const wanted = plain(search[key] ?? '')
    return items.some((item) => !plain(item[key] ?? '').includes(wanted))
  })
}

function plain(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '')
}
