// Reads revoked credentials in the order of revocation, newest first. If the report supports this order, a pass of the
// watch needs only one page. Calls the service and writes to the database.

import { ServiceRefusedError } from '#src/issuer/service-refused-error.ts'
import { evaluateOrder, openRevokedOrder } from './revoked-order.ts'
import { wholeReportQuery } from './scan-report.ts'
import { applyReportChanges, lookUpUnseen, type WatchTally, type WatchTools } from './watch-items.ts'
import { dayAfter } from './watch-plan.ts'

/** How many days a pass reads back beyond the previous one, to allow for time zones and a lagging report. */
const overlapDays = 7

export type OrderFound = 'whole' | 'order' | 'not shown'

/**
 * @param startedAt when this pass started. `sortedAt` is the last pass that saw everything. Both on the database's
 * clock
 */
export async function readRevoked(
  tools: WatchTools,
  { startedAt, sortedAt }: { startedAt: Date; sortedAt: Date | null },
  tally: WatchTally,
): Promise<OrderFound> {
  const since = sortedAt && dayAfter(sortedAt.toISOString().slice(0, 10), -overlapDays)
  try {
    const newest = await readInOrder(tools, 'desc', { since, startedAt }, tally)
    if (newest !== 'none revoked') return newest
    // Either nothing is revoked, or the service sorts missing dates first in descending order, and the revoked rows are
    // at the end.
    const oldest = await readInOrder(tools, 'asc', { since: null, startedAt }, tally)
    return oldest === 'none revoked' ? 'not shown' : oldest
  } catch (error) {
    if (error instanceof ServiceRefusedError && error.status < 500) return 'not shown'
    throw error
  }
}

async function readInOrder(
  tools: WatchTools,
  sortOrder: 'asc' | 'desc',
  { since, startedAt }: { since: string | null; startedAt: Date },
  tally: WatchTally,
): Promise<OrderFound | 'none revoked'> {
  const { ledger, issuer, pageSize } = tools
  const order = openRevokedOrder(sortOrder)
  const keys: string[] = []
  let pagesRead = 0
  const pages = issuer.reportPages({ ...wholeReportQuery, sortBy: 'revoked_date', sortOrder, recordsPerPage: pageSize })
  for await (const { items, walk } of pages) {
    order.add(items)
    pagesRead++
    keys.push(...(await applyReportChanges(tools, items, tally)))
    if (walk === 'complete') {
      // A report of a few pages was read completely, so its order does not matter.
      await ledger.watching.noteSeen(keys, null)
      return (await lookUpUnseen(tools, null, startedAt, tally)) ? 'whole' : 'not shown'
    }
    if (walk === 'cut') return 'not shown'
    const verdict = evaluateOrder(order, { since, pagesRead })
    if (verdict !== 'read on') return verdict
  }
  return 'not shown'
}
