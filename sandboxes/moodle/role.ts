// The capabilities of the web service account's role. A missing capability rarely causes an error: Moodle just leaves
// out users and fields.

import type { MoodleSandboxSettings } from './settings.ts'

const reviewsEnrollments = 'moodle/course:enrolreview'

export class Role {
  readonly #lacks: Set<string>

  constructor({ lacks, reviewsEnrollments: may }: Pick<MoodleSandboxSettings, 'lacks' | 'reviewsEnrollments'>) {
    this.#lacks = new Set(may ? lacks : [...lacks, reviewsEnrollments])
  }

  may(capability: string): boolean {
    return !this.#lacks.has(capability)
  }

  forbid(capability: string): void {
    this.#lacks.add(capability)
  }

  allow(capability: string): void {
    this.#lacks.delete(capability)
  }
}
