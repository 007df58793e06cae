// Stores all credential requests in memory, in order of arrival, which is also the order of their request time.

import type { Clock } from '#sandboxes/clock.ts'
import { dayOf } from './calendar.ts'
import type { CourseRecord } from './course.ts'
import { type CredentialRequest, studentText } from './credential-request.ts'
import { extraLagMs } from './faults/visibility.ts'
import type { Fields } from './read-body.ts'
import { outcomeOf } from './request-outcome.ts'
import type { SandboxSettings } from './settings.ts'

// The filters that clients use to find one person in the report. They have an index, because scanning 100,000 requests
// for each of 60 calls per second would keep a core busy.
const indexed = { email_: 'Email', contact_number: 'Contact Number', reg_no: 'Register Number' } as const
export type IndexedField = keyof typeof indexed
export const indexedFields = Object.keys(indexed) as IndexedField[]

/** Normalizes text for comparison in filters, which ignore case and outer spaces. */
export function folded(text: string): string {
  return text.trim().toLowerCase()
}

export class RequestStore {
  readonly #settings: SandboxSettings
  readonly #clock: Clock
  readonly #inOrder: CredentialRequest[] = []
  readonly #byValue = new Map<string, CredentialRequest[]>()
  readonly #byId = new Map<string, CredentialRequest>()
  readonly #revoked = new Map<CredentialRequest, { at: Date; dated: Date }>()
  readonly #published = new Set<CredentialRequest>()
  #delayed = false
  #misdated = false

  constructor(settings: SandboxSettings, clock: Clock) {
    this.#settings = settings
    this.#clock = clock
  }

  /** Creates one request per record, in order and all at the same time. A person who is listed twice gets two. */
  add(
    course: CourseRecord,
    students: readonly Fields[],
    { imageOf, publicLink }: { imageOf: (student: Fields) => string | null; publicLink: boolean },
  ): CredentialRequest[] {
    const { seed, faults } = this.#settings
    const { at, datedAt } = this.#moment()
    const moment = { at, datedAt, requestDate: dayOf(datedAt), acceptedMs: this.#clock.monotonicMs() }
    return students.map((student, position) => {
      const number = this.#inOrder.length
      const outcome = outcomeOf(this.#settings, number, String(student.Email ?? ''))
      const lag = extraLagMs(faults, seed, number, { position, size: students.length })
      return this.#keep({
        number,
        course,
        student,
        image: imageOf(student),
        publicLink,
        outcome,
        ...moment,
        extraLagMs: lag,
      })
    })
  }

  /** Whether all requests become visible in order of arrival, and whether their request dates are in that order too. */
  get order(): { byVisibility: boolean; byDate: boolean } {
    return { byVisibility: !this.#delayed, byDate: !this.#misdated }
  }

  #keep(request: CredentialRequest): CredentialRequest {
    this.#delayed ||= request.extraLagMs > 0
    this.#misdated ||= request.requestDate < (this.#inOrder.at(-1)?.requestDate ?? '')
    this.#inOrder.push(request)
    this.#byId.set(request.outcome.entityUuid, request).set(request.outcome.credentialId, request)
    for (const field of indexedFields) {
      const value = studentText(request, indexed[field])
      if (value === null) continue
      const key = `${field} ${folded(value)}`
      const requests = this.#byValue.get(key)
      if (requests) requests.push(request)
      else this.#byValue.set(key, [request])
    }
    return request
  }

  /** Returns false and changes nothing if the credential is already revoked. */
  revoke(request: CredentialRequest): boolean {
    if (this.#revoked.has(request)) return false
    const { at, datedAt } = this.#moment()
    this.#revoked.set(request, { at, dated: datedAt })
    return true
  }

  /**
   * Returns when it was revoked, on the sandbox's clock and on the simulated clock of the service; null if it is not.
   */
  revocation(request: CredentialRequest): { at: Date; dated: Date } | null {
    return this.#revoked.get(request) ?? null
  }

  /** Creates the public link, as somebody does in the portal. */
  publish(request: CredentialRequest): void {
    this.#published.add(request)
  }

  hasPublicLink(request: CredentialRequest): boolean {
    return request.publicLink || this.#published.has(request)
  }

  #moment(): { at: Date; datedAt: Date } {
    const at = this.#clock.now()
    return { at, datedAt: new Date(at.getTime() + (this.#settings.faults.clockOffMs ?? 0)) }
  }

  /** Returns every request, oldest first. */
  all(): readonly CredentialRequest[] {
    return this.#inOrder
  }

  /** Returns the requests whose field has this text (compared after folding), oldest first. */
  withValue(field: IndexedField, text: string): readonly CredentialRequest[] {
    return this.#byValue.get(`${field} ${folded(text)}`) ?? []
  }

  /** Returns the request with this entity uuid or credential id. */
  find(id: string): CredentialRequest | undefined {
    return this.#byId.get(id)
  }
}

/** Counts by bisection how many requests of a list in order of arrival were accepted at or before a time. */
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
