// What truly happened, line by line: neither tokens nor anything of a person but the site's own number for them.

import type { Clock } from '#src/time/clock.ts'

export type MoodleDeed =
  /** A call that came. `what` is a known function's name, or the resource of LTI; `errorcode` Moodle's own, if any. */
  | { kind: 'answered'; door: 'rest' | 'lti' | 'other'; what: string; status: number; errorcode: string | null }
  /** Something was stored; what an answer alone does not tell (1.5). */
  | { kind: 'wrote'; what: 'profile field' | 'assignment grade' | 'gradebook' | 'score'; learner: number }
  /** Events went out; `status` is null where no answer came. */
  | { kind: 'sent'; channel: 'webhook' | 'xapi'; events: number; status: number | null }

/** `at` is the sandbox's wall clock in milliseconds since 1970. */
export type MoodleJournalEntry = MoodleDeed & { at: number }

export class MoodleJournal {
  readonly #clock: Clock
  readonly #entries: MoodleJournalEntry[] = []

  constructor(clock: Clock) {
    this.#clock = clock
  }

  did(deed: MoodleDeed): void {
    this.#entries.push({ at: this.#clock.now().getTime(), ...deed })
  }

  /** All lines, oldest first; a copy. */
  entries(): readonly MoodleJournalEntry[] {
    return [...this.#entries]
  }
}
