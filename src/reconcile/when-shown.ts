// The report shows an item that is a row's own, or may be: where does the row go? Pure.

import { roadTo } from '#src/issuance/lifecycle.ts'
import type { ReportReading } from '#src/issuance/report-status.ts'
import { type State, watchedStates } from '#src/issuance/state.ts'
import { type Decision, type Step, stay, take } from './decision.ts'

export interface Showing {
  /**
   * first: nobody had claimed the item, and it is the row's. one of two: the same, and another fresh one looks as much like it.
   * known: the row's own, seen before. spare: one more item for a row that has its own. shared: it fits two rows, so it is nobody's.
   */
  as: 'first' | 'one of two' | 'known' | 'spare' | 'shared'
  reading: ReportReading
  /** The report's own label. */
  label: string | null
  /** Display names of the fields in which it shows somebody else than we sent. */
  differing: readonly string[]
  /** Whoever decided about the row last had seen this item: that it shows another name is no news to them. */
  knownToPerson: boolean
}

export function whenShown(state: State, item: Showing): Decision {
  if (item.as === 'known') return take(follow(state, item))
  if (item.as === 'spare')
    return item.knownToPerson ? stay : take(hold(state, 'the report shows two items for this one row'))
  // It was proven absent and is about to be sent again, and here is its item after all: it must not go out.
  const doubt: Step[] =
    state === 'pending' ? [{ to: 'unconfirmed', event: 'the report shows it after all', reason: null }] : []
  const at = doubt.at(-1)?.to ?? state
  if (item.as === 'shared' && item.knownToPerson) return take(doubt)
  if (item.as === 'shared') return take([...doubt, ...hold(at, 'one report item fits two credentials of this person')])
  if (item.as === 'one of two' && !item.knownToPerson)
    return take([...doubt, ...hold(at, 'the report shows two items for this one row')])
  if (item.differing.length > 0 && !item.knownToPerson)
    return take([
      ...doubt,
      ...hold(at, `the report shows other values than were sent for: ${item.differing.join(', ')}`),
    ])
  // Whatever its label says, an item that is the row's own proves that the service has the request.
  const found: Step[] = at === 'unconfirmed' ? [{ to: 'requested', event: 'found in the report', reason: null }] : []
  return take([...doubt, ...found, ...follow(found.at(-1)?.to ?? at, item)])
}

/** The steps that the label asks for: none where it asks for none (known already, backwards, not documented). */
function follow(from: State, item: Showing): Step[] {
  const road = item.reading.kind === 'state' ? roadTo(from, item.reading.state) : null
  return (road ?? []).map((to) => ({ to, event: 'report', reason: remedyOf(to, item.label) }))
}

/** What is settled stays settled: a person is asked about rows that are still open. */
function hold(state: State, reason: string): Step[] {
  return watchedStates.includes(state) ? [{ to: 'held', event: 'held for a person', reason }] : []
}

/** Whoever handed the row over reads this in the results: it says whom to ask, and that waiting is of no use. */
function remedyOf(to: State, label: string | null): string | null {
  if (to === 'rejected') return 'the certification body rejected it; ask them why. credsync does not send it again'
  if (to === 'failed')
    return `the service could not issue it (${label}); ask its support. credsync does not send it again by itself`
  return null
}
