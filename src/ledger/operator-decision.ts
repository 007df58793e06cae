// Which operator made a decision and why, as recorded in the history, and what the operator had seen: the types, the
// SQL that compares what was seen with the current state, and the error when something has changed since.

export interface OperatorDecision {
  by: string
  why: string
}

/**
 * The rows that a person saw, each with the time since when it was in its state. The decision is not about other rows.
 */
export type SeenRows = ReadonlyMap<number, Date>

/** SQL: an instant as precise as a page shows it. */
export const asSeen = (column: string) => `date_trunc('milliseconds', ${column})`

/** SQL: the issuance is as a person saw it. `ids` and `times` name parameters with the rows that were seen, or null. */
export const isAsSeen = (ids: string, times: string) =>
  `(${ids}::bigint[] IS NULL OR EXISTS (SELECT FROM unnest(${ids}::bigint[], ${times}::timestamptz[]) AS seen(id, since)
     WHERE seen.id = issuance.id AND seen.since = ${asSeen('issuance.state_since')}))`

/** The parameters of `isAsSeen`. */
export const seenParameters = (seen: SeenRows | undefined): [ids: number[] | null, times: Date[] | null] =>
  seen ? [[...seen.keys()], [...seen.values()]] : [null, null]

/** Thrown for a decision about something that has changed since the person saw it. */
export class RowMovedError extends Error {
  override readonly name = 'RowMovedError'

  constructor(id: number | string) {
    super(`${typeof id === 'number' ? `i${id}` : id} has changed since you saw it. Nothing was changed.`)
  }
}
