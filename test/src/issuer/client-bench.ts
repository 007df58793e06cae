// Test bench: an issuer client that talks to a scripted server, with open gates and a clock that lets retries follow
// immediately.

import { type Issuer, openIssuer } from '#src/issuer/issuer.ts'
import type { TokenStore } from '#src/issuer/tokens/token-store.ts'
import { Secret } from '#src/platform/secret.ts'
import { type Clock, systemClock } from '#src/platform/time/clock.ts'
import { type OpenGate, openGate } from '#test/support/open-gate.ts'
import { envelope, openScriptedServer, type Script, type ScriptedServer } from '#test/support/scripted-server.ts'

export interface Bench extends AsyncDisposable {
  server: ScriptedServer
  issuer: Issuer
  /** Opens another client of the same service, as another process would, with its token in `tokenStore`. */
  client(tokenStore: TokenStore): Issuer
  clock: Clock
  gates: Record<string, OpenGate>
  /** Advances the clock of the clients by this many milliseconds. */
  advanceClock(ms: number): void
  /** The waits that were requested between retries, in milliseconds. */
  waits: number[]
  /** A script that never responds, and lets every deadline expire once the request has arrived. */
  silence: Script
}

export const tokenPath = '/entityaccess/token'
export const refreshPath = '/entityaccess/refresh/token'

export async function openBench(): Promise<Bench> {
  const server = await openScriptedServer()
  let advancedMs = 0
  const waits: number[] = []
  const expired = Promise.withResolvers<void>()
  // Deadlines, which have a signal, wait on the real clock or until `silence` lets them expire; waits between retries
  // pass immediately.
  const clock: Clock = {
    now: () => new Date('2026-03-01T12:00:00Z'),
    monotonicMs: () => systemClock.monotonicMs() + advancedMs,
    sleep: (ms, signal) => {
      if (signal) return Promise.race([systemClock.sleep(ms, signal), expired.promise])
      waits.push(ms)
      // Resolves asynchronously, so that a polling caller lets other events happen.
      return new Promise((resolve) => setImmediate(resolve))
    },
  }
  const gates: Record<string, OpenGate> = {}
  const gate = (name: string) => {
    gates[name] ??= openGate()
    return gates[name]
  }
  const clients: Issuer[] = []
  const client = (tokenStore?: TokenStore) => {
    const issuer = openIssuer({
      baseUrl: `${server.url}/prefix/`,
      key: new Secret('the-key'),
      secret: new Secret('the-secret'),
      gates: { gate, auth: gate('auth') },
      clock,
      random: () => 0,
      ...(tokenStore && { tokenStore }),
    })
    clients.push(issuer)
    return issuer
  }
  const issuer = client()
  let tokenCount = 0
  const nextTokens = () => {
    tokenCount += 1
    return { accessToken: `access-${tokenCount}`, refreshToken: `refresh-${tokenCount}` }
  }
  for (const path of [tokenPath, refreshPath]) server.on(path, (...args) => envelope(nextTokens())(...args))
  return {
    server,
    issuer,
    client,
    clock,
    gates,
    waits,
    silence: () => expired.resolve(),
    advanceClock: (ms) => {
      advancedMs += ms
    },
    async [Symbol.asyncDispose]() {
      await server.close()
      await Promise.all(clients.map((client) => client.close()))
    },
  }
}
