// What the first SIGINT or SIGTERM does, and what a later one does.

import { EventEmitter } from 'node:events'
import { expect, test } from 'vitest'
import { abortOnSignal } from '#jobs/abort-on-signal.ts'

/** A process on a clock that the test moves. */
function openProcess() {
  let nowMs = 1_000
  const exits: number[] = []
  const running = Object.assign(new EventEmitter(), { exit: (code: number) => void exits.push(code) })
  const signal = abortOnSignal(running, { monotonicMs: () => nowMs })
  const receive = (name: NodeJS.Signals, afterMs = 0) => {
    nowMs += afterMs
    running.emit(name)
  }
  return { signal, exits, receive }
}

test.each([
  ['SIGINT', 130],
  ['SIGTERM', 1],
] as const)(
  'the first %s asks for an orderly end, and one after more than three seconds exits with %i',
  (name, code) => {
    const { signal, exits, receive } = openProcess()
    expect(signal.aborted).toBe(false)
    receive(name, 10_000)
    expect([signal.aborted, signal.reason, exits]).toEqual([true, name, []])
    receive(name, 3_001)
    expect(exits).toEqual([code])
  },
)

test('a signal that is repeated within three seconds is the same one', () => {
  const { signal, exits, receive } = openProcess()
  receive('SIGINT')
  receive('SIGTERM', 1_500)
  receive('SIGINT', 1_500)
  expect([signal.reason, exits]).toEqual(['SIGINT', []])
  // The three seconds begin with the first one.
  receive('SIGTERM', 1)
  expect(exits).toEqual([1])
})
