// Pending rows in due order, as a heap for each pipeline and course. Entries of rows that have moved on stay until they
// reach the top: removing them from a sorted list would need a search at every change.

import type { IssuanceRecord, Lane, Slot } from './records.ts'

/** Inserts a row by its due time, unless it is not pending or an attempt holds it. */
export function placeDue(issuance: IssuanceRecord): void {
  const waits = issuance.state === 'pending' && issuance.dueAt !== Number.POSITIVE_INFINITY
  if (!waits) {
    issuance.slot = null
    return
  }
  if (issuance.slot?.dueAt === issuance.dueAt) return
  issuance.slot = { dueAt: issuance.dueAt, issuance }
  push(issuance.lane.heap, issuance.slot)
}

/** The first `most` rows of a lane that are due at `now`, in order. */
export function firstDue(lane: Lane, now: number, most: number): Slot[] {
  const { heap } = lane
  const found: Slot[] = []
  for (let top = heap[0]; top && found.length < most; top = heap[0]) {
    const current = top.issuance.slot === top
    if (current && top.dueAt > now) break
    pop(heap)
    if (current) found.push(top)
  }
  for (const slot of found) push(heap, slot)
  return found
}

export function compareDue(a: Slot, b: Slot): number {
  return a.dueAt - b.dueAt || a.issuance.id - b.issuance.id
}

function push(heap: Slot[], slot: Slot): void {
  let at = heap.length
  while (at > 0) {
    const parent = (at - 1) >> 1
    const above = heap[parent] as Slot
    if (compareDue(above, slot) <= 0) break
    heap[at] = above
    at = parent
  }
  heap[at] = slot
}

function pop(heap: Slot[]): void {
  const last = heap.pop() as Slot
  if (heap.length === 0) return
  let at = 0
  for (;;) {
    let child = 2 * at + 1
    if (child >= heap.length) break
    if (child + 1 < heap.length && compareDue(heap[child + 1] as Slot, heap[child] as Slot) < 0) child++
    const below = heap[child] as Slot
    if (compareDue(last, below) <= 0) break
    heap[at] = below
    at = child
  }
  heap[at] = last
}
