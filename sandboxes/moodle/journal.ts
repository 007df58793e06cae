// Records in memory what happened in the sandbox. Contains no tokens, and no personal data except the site's user ids.

import type { Clock } from '#sandboxes/clock.ts'

export type MoodleAction =
  /**
   * A call was answered. `what` is the name of an implemented function, or the resource of LTI; `errorcode` is that of
   * Moodle, if any.
   */
  | { kind: 'answered'; endpoint: 'rest' | 'lti' | 'other'; what: string; status: number; errorcode: string | null }
  /** A value was stored, which a successful response alone does not prove (section 1.5). */
  | { kind: 'wrote'; what: 'profile field' | 'assignment grade' | 'gradebook' | 'score'; learner: number }
  /** Events were sent; `status` is null if there was no response. */
  | { kind: 'sent'; channel: 'webhook' | 'xapi'; events: number; status: number | null }

/** `at` is the sandbox's wall clock in milliseconds since 1970. */
export type MoodleJournalEntry = MoodleAction & { at: number }

export class MoodleJournal {
  readonly #clock: Clock
  readonly #entries: MoodleJournalEntry[] = []

  constructor(clock: Clock) {
    this.#clock = clock
  }

  record(action: MoodleAction): void {
    this.#entries.push({ at: this.#clock.now().getTime(), ...action })
  }

  /** Returns a copy of all entries, oldest first. */
  entries(): readonly MoodleJournalEntry[] {
    return [...this.#entries]
  }
}
