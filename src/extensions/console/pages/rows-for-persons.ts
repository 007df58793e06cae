// The rows without a credential of which a person has to do something, by their lists, for the first page. Pure.

import { type FailedCorrection, type FailedRows, mostFailedCounted } from '#src/extensions/console/ledger/overview.ts'
import type { ListedRun } from '#src/extensions/console/ledger/run-pages.ts'
import { countOf } from '#src/issuing/results/run-summary.ts'
import { type Callout, words } from '../html/elements.ts'
import type { Console } from '../visit.ts'
import { countsOf } from './run-words.ts'

const mostShown = 10

/** The rows of the last lists that are invalid, rejected or failed. Held rows have a line of their own. */
export function ofLastLists({ address }: Console, lists: readonly ListedRun[]): Callout[] {
  return lists.filter(isIssued).flatMap((run) => {
    const { rejected, failed } = countsOf(run)
    return needAttention({ invalid: run.invalid, rejected, failed }, run.sourceName, {
      where: run.pipeline,
      href: `${address.base}/runs/${run.id}`,
    })
  })
}

const isIssued = ({ state }: ListedRun) => state === 'published'

/** The failed and rejected rows of all other lists, however old they are: a later list does not mend them. */
export function ofEarlierLists(
  { address }: Console,
  lists: readonly ListedRun[],
  found: readonly FailedRows[],
): Callout[] {
  const last = new Set(lists.filter(isIssued).map(({ id }) => id))
  const earlier = found.filter(({ run }) => !last.has(run))
  const others = earlier.slice(mostShown)
  const shown = earlier.slice(0, mostShown).flatMap(({ run, source, pipeline, rejected, failed }) =>
    needAttention({ rejected, failed }, source, {
      where: `${pipeline}, an earlier list`,
      href: `${address.base}/runs/${run}`,
    }),
  )
  const href = `${address.base}/runs`
  // Only the newest rows were read, and there may be more.
  if (countIn(found) >= mostFailedCounted)
    return [...shown, { tone: 'warn', title: words('Rows of still more lists may need attention'), href }]
  const sum = { failed: 0, rejected: 0 }
  for (const { failed, rejected } of others) {
    sum.failed += failed
    sum.rejected += rejected
  }
  return [
    ...shown,
    ...needAttention(sum, countOf(others.length, 'older list'), { where: 'see “For a person” in the runs', href }),
  ]
}

const countIn = (lists: readonly FailedRows[]): number =>
  lists.reduce((sum, { failed, rejected }) => sum + failed + rejected, 0)

function needAttention(
  counts: Record<string, number>,
  source: string,
  { where, href }: { where: string; href: string },
): Callout[] {
  const kinds = Object.entries(counts).filter(([, count]) => count > 0)
  const rows = kinds.reduce((sum, [, count]) => sum + count, 0)
  if (rows === 0) return []
  const title = `${countOf(rows, 'row')} of ${source} ${rows === 1 ? 'needs' : 'need'} attention`
  const detail = kinds.map(([name, count]) => `${count} ${name}`).join(', ')
  return [{ tone: 'warn', title: words(title), detail: words(`${detail} (${where}).`), href }]
}

/** Corrections come first: their credential was revoked, so that the person has none at all. */
export function failedCorrections({ address }: Console, corrections: readonly FailedCorrection[]): Callout[] {
  const more = corrections.length - mostShown
  return corrections.slice(0, mostShown).map(({ id, corrects, pipeline, state }, at) => {
    const others = at === mostShown - 1 && more > 0 ? ` So ${more === 1 ? 'is 1 more' : `are ${more} more`}.` : ''
    return {
      tone: 'bad',
      title: words(`The correction of i${corrects} is ${state}`),
      detail: words(`The credential was revoked, and no other took its place (${pipeline}).${others}`),
      href: `${address.base}/people/i${id}`,
    }
  })
}
