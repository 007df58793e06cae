// The rows without a credential about which something can still be done, by their lists, for the first page. Pure.

import { type FailedCorrection, type FailedRows, mostFailedCounted } from '#src/extensions/console/ledger/overview.ts'
import type { ListedRun } from '#src/extensions/console/ledger/run-pages.ts'
import { countOf } from '#src/issuing/results/run-summary.ts'
import { bad, type Callout, warning } from '../html/elements.ts'
import type { Console } from '../visit.ts'
import { countsOf } from './run-table.ts'

const mostShown = 10

/** The rows of the last lists that are invalid, rejected or failed. Held rows have a line of their own. */
export function ofLastLists({ address }: Console, lists: readonly ListedRun[]): Callout[] {
  return lists.filter(isIssued).flatMap((run) => {
    const { rejected, failed } = countsOf(run)
    const counts = { invalid: run.invalid, rejected, failed }
    return rowsOf(run.sourceName, counts, { where: run.pipeline, href: `${address.base}/runs/${run.id}` })
  })
}

const isIssued = ({ state }: ListedRun) => state === 'published'

/** The failed and rejected rows of all other lists, however old they are: a later list does not correct them. */
export function ofEarlierLists(
  { address }: Console,
  lists: readonly ListedRun[],
  found: readonly FailedRows[],
): Callout[] {
  const last = new Set(lists.filter(isIssued).map(({ id }) => id))
  const earlier = found.filter(({ run }) => !last.has(run))
  const shown = earlier
    .slice(0, mostShown)
    .flatMap(({ run, source, pipeline, rejected, failed }) =>
      rowsOf(
        source,
        { rejected, failed },
        { where: `${pipeline}, an earlier list`, href: `${address.base}/runs/${run}` },
      ),
    )
  const counted = found.reduce((sum, { failed, rejected }) => sum + failed + rejected, 0)
  // Only the newest rows were read, and there may be more.
  if (earlier.length <= mostShown && counted < mostFailedCounted) return shown
  return [...shown, warning('Rows of other lists may need attention, too', null, `${address.base}/runs`)]
}

function rowsOf(
  source: string,
  counts: Record<string, number>,
  { where, href }: { where: string; href: string },
): Callout[] {
  const kinds = Object.entries(counts).filter(([, count]) => count > 0)
  const rows = kinds.reduce((sum, [, count]) => sum + count, 0)
  if (rows === 0) return []
  const detail = kinds.map(([name, count]) => `${count} ${name}`).join(', ')
  return [
    warning(
      `${countOf(rows, 'row')} of ${source} ${rows === 1 ? 'needs' : 'need'} attention`,
      `${detail} (${where}).`,
      href,
    ),
  ]
}

/** Corrections come first: their credential was revoked, so that the person has none at all. */
export function failedCorrections({ address }: Console, corrections: readonly FailedCorrection[]): Callout[] {
  const more = corrections.length - mostShown
  return [
    ...corrections
      .slice(0, mostShown)
      .map(({ id, corrects, pipeline, state }) =>
        bad(
          `The correction of i${corrects} is ${state}`,
          `The credential was revoked, and no other took its place (${pipeline}).`,
          `${address.base}/people/i${id}`,
        ),
      ),
    ...(more > 0 ? [bad(`${countOf(more, 'more correction')} did not succeed`)] : []),
  ]
}
