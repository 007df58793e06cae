// What notices are about. The ledger stores these facts, and messages are composed from them. They contain counts,
// rules and our own sentences, and name no people.

import type { StateCounts } from '#src/domain/credential/state.ts'
import type { NoticeKind } from '#src/extensions/notices/settings/notify-settings.ts'
import { maskPeople } from '#src/platform/log/log.ts'

export type Facts =
  | {
      about: 'summary'
      run: string
      /** Null if messages may not name files. */
      source: string | null
      results: string | null
      invalidRows: string | null
      rows: number
      accepted: number
      invalid: number
      skipped: number
      changed: number
      states: Partial<StateCounts>
      /** Invalid rows by field and rule, with the numbers of the first of them. */
      faults: { field: string; rule: string; rows: number; examples: number[] }[]
    }
  | { about: 'held' | 'braked' | 'changes' | 'revocations'; count: number }
  | { about: 'stopped'; reason: string }
  | { about: 'refused'; lists: number; run: string; source: string | null; sentence: string }
  | RefusedListFacts
  | { about: 'refusedLists'; lists: RefusedListFacts[] }
  /** `due` and `last` are instants in ISO 8601. */
  | { about: 'missing'; due: string; timeZone: string; minRows: number }
  | { about: 'silent'; within: string; completions: boolean; last: string | null }
  /** `met`: the kinds of work that have met the obstacle since. */
  | { about: 'service' | 'queue' | 'keys' | 'work'; problem: string; met: string[] }
  | { about: 'database' }
  | { about: 'system'; system: string; problem: string }
  /** `behind`: the setting when it was noticed. */
  | { about: 'open'; count: number; behind: string }
  | { about: 'report' }
  | { about: 'paused'; reason: string }
  | { about: 'archive' | 'inbox' | 'results' | 'delivery' | 'settings'; subject: string; problem: string }
  /** `isPartial`: some of its addresses accept messages. `isGivenUp`: a message was given up a short while ago. */
  | { about: 'recipient'; recipient: string; problem: string; isPartial: boolean; isGivenUp: boolean }
  | { about: 'worker'; problem: string; met: string[] }
  | { about: 'stalled'; workers: string[] }
  /** `id`: of the erasure. `day`: when it was requested. `waitsFor`: a sentence with ids. */
  | { about: 'erasure'; id: string; day: string; waitsFor: string | null }
  | { about: 'test' }

/** One refused list. */
export type RefusedListFacts = { about: 'refusal'; run: string; source: string | null; sentence: string }

/** Something that is the case now and that somebody must know. */
export interface Occasion {
  /** The same while it lasts. */
  key: string
  kind: NoticeKind
  pipeline: string | null
  since: Date
  facts: Facts
  /** For a list whose last row has come to rest: its notice ends with this summary. */
  isFinal?: boolean
  /** For a list that was refused: recipients are notified of this run once, whatever becomes of it. */
  once?: { run: string }
  /** What an open notice is about is the case once more: recipients are notified at once. */
  isNews?: boolean
  /** It may have ended: an open notice stays open, nobody is reminded, and none is opened. */
  isUnsure?: boolean
  /** Why nobody watches it any more: an open notice ends, and nobody reads that all is well. */
  withdrawn?: string
}

/** What does not answer usually answers again within a few minutes, after a restart or an update. */
export const awayAfterMs = 5 * 60_000

export function about(kind: Occasion['kind'], subject: string, pipeline: string | null, since: Date) {
  return { key: `${kind} ${pipeline === null ? subject : `${subject} ${pipeline}`}`, kind, pipeline, since }
}

/**
 * Reasons and refusals are our own sentences, but what they quote comes from a file: a heading may name a person. Only
 * what they call a field is a name in the course or in the configuration.
 */
export function withoutPeople(sentence: string): string {
  return maskPeople(sentence.replace(/(?<!\bfield )“[^”\n]*(?:”|$)/gm, '“…”'))
    .slice(0, 2_000)
    .toWellFormed()
}

/** Returns the facts of a notice, or of a change of one, as the ledger has them. */
export const factsOf = (stored: { facts: Record<string, unknown> }) => stored.facts as unknown as Facts
