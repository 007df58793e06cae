// Joins what a message says about the refused lists of a pipeline: each of them is a notice of its own, and another one
// says that the newest is refused. Pure.

import type { WaitingNoticeChange } from '#src/extensions/notices/ledger/notice-messages.ts'
import { factsOf, type RefusedListFacts } from './facts.ts'

/** A change that has a section of its own, or several that share one. */
export type JoinedChange = WaitingNoticeChange & { ids: number[] }

/** @returns the changes, with one for all refused lists of each pipeline in the place of those for each of them */
export function joinRefusals(changes: readonly WaitingNoticeChange[]): JoinedChange[] {
  const refusals = Map.groupBy(
    changes.filter((change) => factsOf(change).about === 'refusal'),
    ({ pipeline }) => pipeline,
  )
  const openings = changes.filter(
    (each) => each.change === 'opened' && factsOf(each).about === 'refused' && refusals.has(each.pipeline),
  )
  const joined = [...refusals].map(([pipeline, unsorted]) => {
    // Those of one round were noted in any order.
    const own = unsorted.toSorted((a, b) => a.since.getTime() - b.since.getTime())
    const [first, last] = [own[0], own.at(-1)] as [WaitingNoticeChange, WaitingNoticeChange]
    const facts = { about: 'refusedLists' as const, lists: own.map((each) => factsOf(each) as RefusedListFacts) }
    const opening = openings.find((opening) => opening.pipeline === pipeline)
    return {
      ...first,
      key: (opening ?? last).key,
      facts,
      ids: [...own, ...(opening ? [opening] : [])].map(({ id }) => id),
    }
  })
  const others = changes.filter((each) => !openings.includes(each) && factsOf(each).about !== 'refusal')
  return [...others.map((each) => ({ ...each, ids: [each.id] })), ...joined]
}
