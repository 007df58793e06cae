// The auditor's book: the sandbox's own records, which the worker cannot see, linked to the ledger's rows. Pure.

import type { HeldRequest } from '#sandboxes/service/open-sandbox.ts'
import type { World } from '#test/support/world.ts'
import type { RowPicture } from './ledger-picture.ts'

export interface Book {
  requests: readonly HeldRequest[]
  /** The requests made for a row, oldest first. */
  requestsOf(row: RowPicture): readonly HeldRequest[]
  /** The request with an entity uuid. */
  find(entityUuid: string | null): HeldRequest | undefined
  /** Requests that belong to no row of the ledger. */
  unmatched: readonly HeldRequest[]
  /** The entity uuids created by each applied call, from the sandbox's journal. */
  calls: readonly (readonly string[])[]
}

/** A request belongs to a row if the course and all values sent are equal; person and occasion are then equal too. */
export function readBook(requests: readonly HeldRequest[], rows: readonly RowPicture[], calls: Book['calls']): Book {
  const rowByValues = new Map<string, number>()
  const rowByKey = new Map<string, number>()
  for (const row of rows) {
    if (row.recipient) rowByValues.set(fingerprint(row.course, row.recipient), row.id)
    // If a person's data was removed, the values are gone, but the claimed key remains.
    else for (const key of row.claims) rowByKey.set(key, row.id)
  }
  const byRow = new Map<number, HeldRequest[]>()
  const unmatched: HeldRequest[] = []
  for (const request of requests) {
    const id = rowByValues.get(fingerprint(request.course, request.student)) ?? rowByKey.get(request.entityUuid)
    if (id === undefined) unmatched.push(request)
    else byRow.set(id, [...(byRow.get(id) ?? []), request])
  }
  const byUuid = new Map(requests.map((request) => [request.entityUuid, request]))
  return {
    requests,
    requestsOf: (row) => byRow.get(row.id) ?? [],
    find: (entityUuid) => byUuid.get(entityUuid ?? ''),
    unmatched,
    calls,
  }
}

/** Groups requests by the call that made them. */
export function callsOf({ sandbox }: World): Book['calls'] {
  return sandbox.entries().flatMap((each) => (each.kind === 'committed' ? [each.requests] : []))
}

function fingerprint(course: string, values: Readonly<Record<string, unknown>>): string {
  const filled = Object.entries(values).filter(([, value]) => value !== '' && value !== null)
  return JSON.stringify([course, filled.sort(([a], [b]) => (a < b ? -1 : 1))])
}
