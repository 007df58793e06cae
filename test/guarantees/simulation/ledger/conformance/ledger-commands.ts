// The operations on a ledger as plain data, so that a failing sequence can be read and shrunk. sequences.ts generates
// them.

import type { BrakeLimits } from '#src/domain/credential/brake.ts'
import type { State } from '#src/domain/credential/state.ts'
import type { AttemptEnd } from '#src/ledger/attempts/outcomes.ts'

/** `which` selects from the existing items, modulo their number. */
export type Command =
  | {
      do: 'hand over'
      file: number
      people: PersonRow[]
      course: number
      pipeline: number
      bad: boolean
      short: boolean
      brake: BrakeLimits | null
      /** What the report shows of the course: null if it was not read, empty if it shows nothing. */
      shows: string | null
    }
  /** Selects a run held by the brake, if there is one. */
  | { do: 'decide'; which: number; answer: 'approve' | 'reject' }
  | { do: 'receive'; file: number; refuse: boolean }
  | { do: 'prepare'; pipeline: number; size: number; canary: boolean; batches: number }
  | { do: 'send'; pipeline: number; size: number; instance: number }
  | { do: 'claim'; which: number; instance: number }
  | { do: 'drop'; which: number; waitMs: number }
  | { do: 'end'; which: number; late: boolean; answer: Answer; thenPause: boolean }
  | { do: 'end oddly'; which: number; to: State[] }
  | { do: 'lose'; alive: number | null }
  | { do: 'time passes'; ms: number }
  /** A scan of the report, `afterMs` later. */
  | { do: 'scan'; items: Item[]; settle: boolean; cut: boolean; resends: number; daysBack: number; afterMs: number }
  | {
      do: 'apply'
      claims: OddClaim[]
      upgrade: [number, number] | null
      moves: OddMove[]
      surplus: OddClaim[]
      shown: number[]
    }
  | { do: 'pause'; course: number; afterTrouble: boolean; ms: number }
  | { do: 'resolve'; which: number[]; answer: 'sent' | 'not sent' }
  | { do: 'retry'; which: number[]; run: number | null }
  /** Uses the result of a scan that began `agoMs` ago, which may be before the last call. */
  | {
      do: 'write directly'
      verb: 'noteLooks' | 'sendAgain' | 'hold'
      which: number[]
      cap: number | null
      agoMs: number
    }
  | { do: 'write back'; run: number; verb: 'request' | 'reported' | 'paths' | 'read' }
  | { do: 'poller'; verb: 'hurry' | 'schedule' | 'schedule deep'; ms: number }
  | { do: 'take work'; forget: boolean }
  | { do: 'read queries' }

export interface PersonRow {
  person: number
  term: number
  /** 0 is the person's own name. */
  name: number
  /** Whether the e-mail address is written in capitals. */
  shout: boolean
  /** Data that do not identify the person; 0 leaves the field empty. */
  grade: number
}

export interface Answer {
  class: AttemptEnd['class']
  status: number
  retryAfterMs: number | null
  trouble: boolean
}

export interface Item {
  person: number
  name: number
  label: string
  /** The number in the item's id; null if it has no id yet. */
  entity: number | null
  day: number | null
  certificate: number | null
  credential: boolean
  link: boolean
  shout: boolean
  revoked: boolean
}

export interface OddClaim {
  which: number
  key: number
}

export interface OddMove {
  which: number
  from: State
  to: State
  credential: boolean
}
