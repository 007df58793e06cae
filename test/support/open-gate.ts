// A gate that is always open and records its pauses, for tests that do not test limits.

import type { Passage, PassOptions } from '#src/platform/limits/gate.ts'

export interface OpenGate {
  pass<T>(work: (passage: Passage) => Promise<T>, options?: PassOptions): Promise<T>
  pause(namedMs: number | null): void
  pauses: (number | null)[]
  passes: number
  /** How long each caller would have waited for a pause to end. */
  patience: (number | undefined)[]
  /** Requests that the service accepted. */
  accepted: number
}

export function openGate(): OpenGate {
  const gate: OpenGate = {
    pauses: [],
    passes: 0,
    patience: [],
    accepted: 0,
    pass(work, options) {
      gate.passes += 1
      gate.patience.push(options?.mayWaitMs)
      return work({ noteAccepted: () => void gate.accepted++ })
    },
    pause: (namedMs) => void gate.pauses.push(namedMs),
  }
  return gate
}
