// One line of the sandbox's journal: what truly happened, which a client cannot see and an auditor can.

interface Line {
  /** Wall clock of the sandbox, in milliseconds since 1970. */
  at: number
  /** Number of the call in this sandbox, from 1. The sandbox's own: a client never learns it. */
  call: number
  /** "POST /path", without the ids in the path. */
  endpoint: string
}

/** What a call changed besides making requests. Both ids are uuids: of the course, of the request (its entity uuid). */
export type Deed =
  | {
      kind: 'course changed'
      change: 'created' | 'updated' | 'enabled' | 'disabled' | 'logo removed'
      course: string
    }
  | { kind: 'revoked'; request: string }

export type JournalEntry =
  | (Line & { kind: 'arrived' })
  /** The invitation was carried out, whole or in part. `recipients` came, `requests` (entity uuids) were made of them. */
  | (Line & { kind: 'committed'; recipients: number; requests: readonly string[] })
  | (Line & Deed)
  /** `status` is the HTTP status, null where no answer was sent; `spoil` says what was done to an honest answer. */
  | (Line & { kind: 'answered'; status: number | null; spoil: string | null })
