// What can be done to a ledger, as plain data: a sequence that disagrees can be read, and be shrunk. Made up in sequences.ts.

import type { BrakeLimits } from '#src/issuance/brake.ts'
import type { State } from '#src/issuance/state.ts'
import type { AttemptEnd } from '#src/ledger/outcomes.ts'

/** `which` counts among the things that there are, round and round. */
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
    }
  /** Of a run that is braked, where there is one. */
  | { do: 'decide'; which: number; answer: 'approve' | 'reject' }
  | { do: 'receive'; file: number; refuse: boolean }
  | { do: 'prepare'; pipeline: number; size: number; canary: boolean }
  | { do: 'send'; pipeline: number; size: number; instance: number }
  | { do: 'pass door'; which: number; instance: number }
  | { do: 'drop'; which: number; waitMs: number }
  | { do: 'end'; which: number; late: boolean; answer: Answer; thenPause: boolean }
  | { do: 'end oddly'; which: number; to: State[] }
  | { do: 'lose'; alive: number | null }
  | { do: 'time passes'; ms: number }
  /** A reading of the report, `afterMs` later. */
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
  /** On the word of a scan that began `agoMs` ago: before the last call, perhaps. */
  | {
      do: 'write directly'
      verb: 'noteLooks' | 'sendAgain' | 'holdRows'
      which: number[]
      cap: number | null
      agoMs: number
    }
  | { do: 'tell'; run: number; verb: 'want' | 'told' | 'paths' | 'read' }
  | { do: 'poller'; verb: 'hurry' | 'schedule' | 'schedule deep'; ms: number }
  | { do: 'take work'; forget: boolean }
  | { do: 'look around' }

export interface PersonRow {
  person: number
  term: number
  /** 0 is the person's own name. */
  name: number
  shout: boolean
  /** Data that say nothing of who it is; 0 is none, which is not filled at all. */
  grade: number
}

export interface Answer {
  class: AttemptEnd['class']
  status: number
  retryAfterMs: number | null
  authRefused: boolean
  trouble: boolean
}

export interface Item {
  person: number
  name: number
  label: string
  /** null: it has none yet. */
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
