// The sandbox's own book, beside the ledger's rows: which row each request was made for. The worker cannot see this book.

import type { HeldRequest } from '#src/sandbox/open-sandbox.ts'
import type { World } from '#test/support/world.ts'
import type { RowPicture } from './ledger-picture.ts'

export interface Book {
  requests: readonly HeldRequest[]
  /** The requests made for a row, oldest first. */
  of(row: RowPicture): readonly HeldRequest[]
  /** The request behind an entity uuid. */
  find(entityUuid: string | null): HeldRequest | undefined
  /** Requests that no row of the ledger explains. */
  nobodys: readonly HeldRequest[]
  /** What each applied call brought, as entity uuids; by the sandbox's journal. */
  calls: readonly (readonly string[])[]
}

/** A row owns a request when course and every value sent are the same: then person and occasion are. */
export function readBook(requests: readonly HeldRequest[], rows: readonly RowPicture[], calls: Book['calls']): Book {
  const owner = new Map<string, number>()
  const byClaim = new Map<string, number>()
  for (const row of rows) {
    if (row.recipient) owner.set(fingerprint(row.course, row.recipient), row.id)
    // The values of a forgotten person are gone; what it claimed is not.
    else for (const key of row.claims) byClaim.set(key, row.id)
  }
  const made = new Map<number, HeldRequest[]>()
  const nobodys: HeldRequest[] = []
  for (const request of requests) {
    const id = owner.get(fingerprint(request.course, request.student)) ?? byClaim.get(request.entityUuid)
    if (id === undefined) nobodys.push(request)
    else made.set(id, [...(made.get(id) ?? []), request])
  }
  const byUuid = new Map(requests.map((request) => [request.entityUuid, request]))
  return {
    requests,
    of: (row) => made.get(row.id) ?? [],
    find: (entityUuid) => byUuid.get(entityUuid ?? ''),
    nobodys,
    calls,
  }
}

/** Which requests came in one call. */
export function callsOf({ sandbox }: World): Book['calls'] {
  return sandbox.entries().flatMap((each) => (each.kind === 'committed' ? [each.requests] : []))
}

function fingerprint(course: string, values: Readonly<Record<string, unknown>>): string {
  const filled = Object.entries(values).filter(([, value]) => value !== '' && value !== null)
  return JSON.stringify([course, filled.sort(([a], [b]) => (a < b ? -1 : 1))])
}
