// A gate that is always open and records its pauses, for tests that do not test limits.

export interface OpenGate {
  pass<T>(work: () => Promise<T>): Promise<T>
  pause(ms: number): void
  pauses: number[]
  passes: number
}

export function openGate(): OpenGate {
  const gate: OpenGate = {
    pauses: [],
    passes: 0,
    pass(work) {
      gate.passes += 1
      return work()
    },
    pause: (ms) => void gate.pauses.push(ms),
  }
  return gate
}
