// Defines an operator's decision as the history records it, and the rows that the operator saw when deciding. Provides
// the SQL that compares these with the current state, and the error for a row that has changed since.

export interface OperatorDecision {
  by: string
  why: string
}

/**
 * The rows that a person saw, each with the time at which it entered its state. The decision applies to no other rows.
 */
export type SeenRows = ReadonlyMap<number, Date>

/** SQL: an instant, truncated to the precision of a page. */
export const asSeen = (column: string) => `date_trunc('milliseconds', ${column})`

/**
 * SQL: whether the issuance is still as the person saw it. `ids` and `times` are parameters with the rows that were
 * seen, or null.
 */
export const isAsSeen = (ids: string, times: string) =>
  `(${ids}::bigint[] IS NULL OR EXISTS (SELECT FROM unnest(${ids}::bigint[], ${times}::timestamptz[]) AS seen(id, since)
     WHERE seen.id = issuance.id AND seen.since = ${asSeen('issuance.state_since')}))`

/** Returns the parameters for `isAsSeen`. */
export const seenParameters = (seen: SeenRows | undefined): [ids: number[] | null, times: Date[] | null] =>
  seen ? [[...seen.keys()], [...seen.values()]] : [null, null]

/** Thrown for a decision about something that has changed since the person saw it. */
export class RowMovedError extends Error {
  override readonly name = 'RowMovedError'

  constructor(id: number | string) {
    super(`${typeof id === 'number' ? `i${id}` : id} has changed since you saw it. Nothing was changed.`)
  }
}
