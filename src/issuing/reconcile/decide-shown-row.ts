// Decides the steps of a row when the report shows an item that belongs to it, or that may belong to it. Pure.

import { stepsTo } from '#src/domain/credential/lifecycle.ts'
import type { ReportReading } from '#src/domain/credential/report-status.ts'
import { type State, watchedStates } from '#src/domain/credential/state.ts'
import { type Decision, type Step, stay, take } from './decision.ts'

export interface ItemMatch {
  /**
   * How the item relates to the row. `first`: the item was not claimed before and belongs to the row. `one of two`:
   * like `first`, but another new item matches the row just as well. `known`: the row's item, which was seen before.
   * `spare`: another item for a row that already has one. `shared`: the item matches two rows, so it is assigned to
   * neither.
   */
  relation: 'first' | 'one of two' | 'known' | 'spare' | 'shared'
  reading: ReportReading
  /** The status label in the report. */
  label: string | null
  /** The display names of the fields in which the item shows a different person from the one sent. */
  differing: readonly string[]
  /**
   * Whether the operator who last decided about the row could already see this item, and so has already taken a
   * different name into account.
   */
  knownToPerson: boolean
}

export function whenShown(state: State, item: ItemMatch): Decision {
  if (item.relation === 'known') return take(follow(state, item))
  if (item.relation === 'spare')
    return item.knownToPerson ? stay : take(hold(state, 'the report shows two items for this one row'))
  // A pending row was proven absent and is about to be sent again. Now that its item has appeared, the row must not be
  // sent.
  const reopened: Step[] =
    state === 'pending' ? [{ to: 'unconfirmed', event: 'the report shows it after all', reason: null }] : []
  const current = reopened.at(-1)?.to ?? state
  if (item.relation === 'shared' && item.knownToPerson) return take(reopened)
  if (item.relation === 'shared')
    return take([...reopened, ...hold(current, 'one report item fits two credentials of this person')])
  if (item.relation === 'one of two' && !item.knownToPerson)
    return take([...reopened, ...hold(current, 'the report shows two items for this one row')])
  if (item.differing.length > 0 && !item.knownToPerson)
    return take([
      ...reopened,
      ...hold(current, `the report’s values differ from what was sent for: ${item.differing.join(', ')}`),
    ])
  // An item that belongs to the row proves that the service has the request, whatever the item's label.
  const foundSteps: Step[] =
    current === 'unconfirmed' ? [{ to: 'requested', event: 'found in the report', reason: null }] : []
  return take([...reopened, ...foundSteps, ...follow(foundSteps.at(-1)?.to ?? current, item)])
}

/**
 * Returns the steps for the label; none if the row is already in that state, if the step would be backwards, or if the
 * label is not documented.
 */
function follow(from: State, item: ItemMatch): Step[] {
  const path = item.reading.kind === 'state' ? stepsTo(from, item.reading.state) : null
  return (path ?? []).map((to) => ({ to, event: 'report', reason: remedyOf(to, item.label) }))
}

/** Holds only open rows. Settled rows stay settled. */
function hold(state: State, reason: string): Step[] {
  return watchedStates.includes(state) ? [{ to: 'held', event: 'held for a person', reason }] : []
}

/**
 * Returns the reason shown in the results, which explains to the submitter whom to ask and that waiting does not help.
 */
function remedyOf(to: State, label: string | null): string | null {
  if (to === 'rejected')
    return 'the certification body rejected the request; ask the body why. credsync does not send the row again'
  if (to === 'failed')
    return `the service could not issue the credential (${label}); ask the support of the service. credsync does not send the row again automatically`
  return null
}
