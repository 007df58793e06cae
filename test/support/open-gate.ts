// A gate that is always open and records its pauses, for tests that do not test limits.

import type { Passage } from '#src/platform/limits/gate.ts'

export interface OpenGate {
  pass<T>(work: (passage: Passage) => Promise<T>): Promise<T>
  pause(namedMs: number | null): void
  pauses: (number | null)[]
  passes: number
  /** Requests that the service accepted. */
  accepted: number
}

export function openGate(): OpenGate {
  const gate: OpenGate = {
    pauses: [],
    passes: 0,
    accepted: 0,
    pass(work) {
      gate.passes += 1
      return work({ noteAccepted: () => void gate.accepted++ })
    },
    pause: (namedMs) => void gate.pauses.push(namedMs),
  }
  return gate
}
