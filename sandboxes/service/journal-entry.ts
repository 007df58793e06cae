// The entries of the sandbox's journal, which records what really happened. Clients cannot see it, but the tests'
// auditor can. Types only.

interface Line {
  /** The time on the sandbox's wall clock, in milliseconds since 1970. */
  at: number
  /** The number of the call in this sandbox, from 1. Clients never see it. */
  call: number
  /** "POST /path", without the ids in the path. */
  endpoint: string
}

/**
 * What a call changed apart from creating requests. `course` is the uuid of a course, `request` an entity uuid.
 */
export type RecordedChange =
  | {
      kind: 'course changed'
      change: 'created' | 'updated' | 'enabled' | 'disabled' | 'logo removed'
      course: string
    }
  | { kind: 'revoked'; request: string }

export type JournalEntry =
  | (Line & { kind: 'arrived' })
  /**
   * An invitation was applied completely or in part: `recipients` is the number submitted, and `requests` has the
   * entity uuids of the created requests.
   */
  | (Line & { kind: 'committed'; recipients: number; requests: readonly string[] })
  | (Line & RecordedChange)
  /** `status` is the HTTP status, null if no response was sent; `spoil` names the fault that changed the response. */
  | (Line & { kind: 'answered'; status: number | null; spoil: string | null })
