// Freezes this process at a chosen point of its work, between two instructions of the product and without a change to it.

import { subscribe } from 'node:diagnostics_channel'
import { existsSync, writeSync } from 'node:fs'
import type { App } from '#src/app.ts'
import type { Freeze, Line } from './orders.ts'

/** Synchronous: a frozen process flushes nothing. */
export function say(line: Line): void {
  writeSync(1, `${JSON.stringify(line)}\n`)
}

/** @throws Error when the app has no such verb, so that a renamed one does not turn a case into nothing */
export function freezeAt(app: App, freeze: Freeze): void {
  let hits = 0
  const reached = () => {
    hits++
    if (hits === freeze.hit) stand(freeze)
  }
  if (freeze.point === 'wire:sent') {
    onInvitationSent(reached)
    return
  }
  const [path = '', when] = freeze.point.split(':')
  const [name = '', verb = ''] = path.split('.')
  wrapVerb(app[name as 'ledger' | 'issuer'], verb, async (call) => {
    if (when === 'before') reached()
    const answer = await call()
    if (when === 'after') reached()
    return answer
  })
}

/** Puts `around` around a verb of one of the app's objects. */
export function wrapVerb(
  object: object,
  verb: string,
  around: (call: () => unknown, args: unknown[]) => unknown,
): void {
  const verbs = object as Record<string, unknown>
  const original = verbs[verb]
  if (typeof original !== 'function') throw new Error(`There is no verb ${verb} to freeze at; name one that exists.`)
  verbs[verb] = (...args: unknown[]) => around(() => original.apply(object, args), args)
}

function onInvitationSent(reached: () => void): void {
  subscribe('undici:request:bodySent', (message) => {
    const { request } = message as { request: { path: string } }
    if (request.path.includes('/recipients/data/upload')) reached()
  })
}

const cell = new Int32Array(new SharedArrayBuffer(4))

function stand({ way, until }: Freeze): void {
  say({ said: 'frozen' })
  if (way === 'stop') {
    process.kill(process.pid, 'SIGSTOP')
    // Another thread may take the signal; this one must not run on until it has stopped them all.
    Atomics.wait(cell, 0, 0, 100)
  } else while (!existsSync(until)) Atomics.wait(cell, 0, 0, 25)
  say({ said: 'awake' })
}
