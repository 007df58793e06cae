// Freezes this process at a chosen point of its work without changing the program.

import { subscribe } from 'node:diagnostics_channel'
import { existsSync, writeSync } from 'node:fs'
import type { App } from '#src/app/app.ts'
import type { Freeze, Line } from './child-messages.ts'

/** Writes a message to the test. Synchronous, because a frozen process flushes nothing. */
export function report(line: Line): void {
  writeSync(1, `${JSON.stringify(line)}\n`)
}

/** @throws Error if the app has no such verb, so that a renamed verb does not make a case pass without freezing */
export function freezeAt(app: App, freeze: Freeze): void {
  let hits = 0
  const reached = () => {
    hits++
    if (hits === freeze.hit) freezeNow(freeze)
  }
  if (freeze.point === 'wire:sent') {
    onInvitationSent(reached)
    return
  }
  const [path = '', when] = freeze.point.split(':')
  const names = path.split('.')
  const verb = names.pop() ?? ''
  const object = names.reduce((part, name) => part?.[name] as Part, app as unknown as Part)
  wrapVerb(object, verb, async (call) => {
    if (when === 'before') reached()
    const answer = await call()
    if (when === 'after') reached()
    return answer
  })
}

type Part = Record<string, unknown> | undefined

/** Wraps a verb of one of the app's objects with `wrapper`, which decides when the original is called. */
export function wrapVerb(
  object: object | undefined,
  verb: string,
  wrapper: (call: () => unknown, args: unknown[]) => unknown,
): void {
  const verbs = object as Record<string, unknown> | undefined
  const original = verbs?.[verb]
  if (!verbs || typeof original !== 'function')
    throw new Error(`Cannot freeze at ${verb}, because there is no such verb.`)
  verbs[verb] = (...args: unknown[]) => wrapper(() => original.apply(object, args), args)
}

function onInvitationSent(reached: () => void): void {
  subscribe('undici:request:bodySent', (message) => {
    const { request } = message as { request: { path: string } }
    if (request.path.includes('/recipients/data/upload')) reached()
  })
}

const cell = new Int32Array(new SharedArrayBuffer(4))

function freezeNow({ way, until }: Freeze): void {
  report({ kind: 'frozen' })
  if (way === 'stop') {
    process.kill(process.pid, 'SIGSTOP')
    // Another thread may receive the signal; this thread must not continue before the signal has stopped all threads.
    Atomics.wait(cell, 0, 0, 100)
  } else while (!existsSync(until)) Atomics.wait(cell, 0, 0, 25)
  report({ kind: 'awake' })
}
