// All credential requests, in order of arrival, which is also the order of their request time.

import type { Clock } from '#src/time/clock.ts'
import { dayOf } from './calendar.ts'
import type { Course } from './courses.ts'
import { type CredentialRequest, studentText } from './credential-request.ts'
import { fateOf } from './fate.ts'
import type { Fields } from './read-body.ts'
import type { SandboxSettings } from './settings.ts'

// The report filters by which clients look for one person. At 60 calls a second a scan of 100,000 requests for each
// of them would keep a core busy, so these have an index.
const indexed = { email_: 'Email', contact_number: 'Contact Number', reg_no: 'Register Number' } as const
export type IndexedField = keyof typeof indexed
export const indexedFields = Object.keys(indexed) as IndexedField[]

/** How texts are compared in filters: without case and outer spaces. */
export function folded(text: string): string {
  return text.trim().toLowerCase()
}

export class RequestBook {
  readonly #settings: SandboxSettings
  readonly #clock: Clock
  readonly #inOrder: CredentialRequest[] = []
  readonly #byValue = new Map<string, CredentialRequest[]>()
  readonly #byId = new Map<string, CredentialRequest>()

  constructor(settings: SandboxSettings, clock: Clock) {
    this.#settings = settings
    this.#clock = clock
  }

  /** One request per record, all of the same moment. The same person twice makes two requests. */
  add(course: Course, students: readonly Fields[]): void {
    const at = this.#clock.now()
    const moment = { at, requestDate: dayOf(at), acceptedMs: this.#clock.monotonicMs() }
    for (const student of students) {
      const fate = fateOf(this.#settings, this.#inOrder.length, String(student.Email ?? ''))
      this.#keep({ course, student, fate, ...moment })
    }
  }

  #keep(request: CredentialRequest): void {
    this.#inOrder.push(request)
    this.#byId.set(request.fate.entityUuid, request).set(request.fate.credentialId, request)
    for (const field of indexedFields) {
      const value = studentText(request, indexed[field])
      if (value === null) continue
      const key = `${field} ${folded(value)}`
      const held = this.#byValue.get(key)
      if (held) held.push(request)
      else this.#byValue.set(key, [request])
    }
  }

  /** Every request, oldest first. */
  all(): readonly CredentialRequest[] {
    return this.#inOrder
  }

  /** The requests whose field has this text (compared folded), oldest first. */
  withValue(field: IndexedField, text: string): readonly CredentialRequest[] {
    return this.#byValue.get(`${field} ${folded(text)}`) ?? []
  }

  /** The request behind an entity uuid or a credential id. */
  find(id: string): CredentialRequest | undefined {
    return this.#byId.get(id)
  }
}

/** How many of a list in order of arrival were accepted at or before a moment; halving, because lists are long. */
export function countUntil(inOrder: readonly CredentialRequest[], untilMs: number): number {
  let low = 0
  let high = inOrder.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((inOrder[middle]?.acceptedMs ?? Number.POSITIVE_INFINITY) <= untilMs) low = middle + 1
    else high = middle
  }
  return low
}
