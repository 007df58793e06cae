// All credential requests, in order of arrival, which is also the order of their request time.

import type { Clock } from '#src/time/clock.ts'
import { dayOf } from './calendar.ts'
import type { Course } from './course/course.ts'
import { type CredentialRequest, studentText } from './credential-request.ts'
import { fateOf } from './fate.ts'
import { extraLagMs } from './mischief/visibility.ts'
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
  readonly #revoked = new Map<CredentialRequest, { at: Date; dated: Date }>()
  #delayed = false
  #misdated = false

  constructor(settings: SandboxSettings, clock: Clock) {
    this.#settings = settings
    this.#clock = clock
  }

  /** One request per record, all of the same moment, in their order. The same person twice makes two requests. */
  add(course: Course, students: readonly Fields[], imageOf: (student: Fields) => string | null): CredentialRequest[] {
    const { seed, mischief } = this.#settings
    const { at, datedAt } = this.#moment()
    const moment = { at, datedAt, requestDate: dayOf(datedAt), acceptedMs: this.#clock.monotonicMs() }
    return students.map((student, position) => {
      const number = this.#inOrder.length
      const fate = fateOf(this.#settings, number, String(student.Email ?? ''))
      const lag = extraLagMs(mischief, seed, number, { position, size: students.length })
      return this.#keep({ number, course, student, image: imageOf(student), fate, ...moment, extraLagMs: lag })
    })
  }

  /** Whether all requests show in order of their arrival, and whether that is the order of their request dates too. */
  get order(): { byVisibility: boolean; byDate: boolean } {
    return { byVisibility: !this.#delayed, byDate: !this.#misdated }
  }

  #keep(request: CredentialRequest): CredentialRequest {
    this.#delayed ||= request.extraLagMs > 0
    this.#misdated ||= request.requestDate < (this.#inOrder.at(-1)?.requestDate ?? '')
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
    return request
  }

  /** False, and nothing changes, where it is revoked already. */
  revoke(request: CredentialRequest): boolean {
    if (this.#revoked.has(request)) return false
    const { at, datedAt } = this.#moment()
    this.#revoked.set(request, { at, dated: datedAt })
    return true
  }

  /** When it was revoked, on the true clock and on the service's own; null while it is not. */
  revocation(request: CredentialRequest): { at: Date; dated: Date } | null {
    return this.#revoked.get(request) ?? null
  }

  #moment(): { at: Date; datedAt: Date } {
    const at = this.#clock.now()
    return { at, datedAt: new Date(at.getTime() + (this.#settings.mischief.clockOffMs ?? 0)) }
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
