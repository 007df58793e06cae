// An issuer against a scripted server, with open gates and a clock whose retries do not wait.

import { type Issuer, openIssuer } from '#src/issuer/issuer.ts'
import type { TokenStore } from '#src/issuer/token-store.ts'
import { Secret } from '#src/secret/secret.ts'
import { type Clock, systemClock } from '#src/time/clock.ts'
import { type OpenGate, openGate } from '#test/support/open-gate.ts'
import { envelope, openScriptedServer, type ScriptedServer } from '#test/support/scripted-server.ts'

export interface Bench extends AsyncDisposable {
  server: ScriptedServer
  issuer: Issuer
  /** A further client of the same service, as another process would be; its token is kept in `tokenStore`. */
  client(tokenStore: TokenStore): Issuer
  clock: Clock
  gates: Record<string, OpenGate>
  /** Lets this much time pass, by the issuer's clock. */
  age(ms: number): void
  /** Backoff waits asked for. */
  waits: number[]
}

export const tokenPath = '/entityaccess/token'
export const refreshPath = '/entityaccess/refresh/token'

export async function openBench(): Promise<Bench> {
  const server = await openScriptedServer()
  let aged = 0
  const waits: number[] = []
  // Deadlines (30 s and more) wait on the real clock and are never reached here; waits between tries pass at once.
  const clock: Clock = {
    now: () => new Date('2026-03-01T12:00:00Z'),
    monotonicMs: () => systemClock.monotonicMs() + aged,
    sleep: (ms, signal) => {
      if (signal) return systemClock.sleep(ms, signal)
      waits.push(ms)
      // Not at once: whoever looks again and again until something came must let it come.
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
  let born = 0
  const tokens = () => {
    born += 1
    return { accessToken: `access-${born}`, refreshToken: `refresh-${born}` }
  }
  for (const path of [tokenPath, refreshPath]) server.on(path, (...args) => envelope(tokens())(...args))
  return {
    server,
    issuer,
    client,
    clock,
    gates,
    waits,
    age: (ms) => {
      aged += ms
    },
    async [Symbol.asyncDispose]() {
      await server.close()
      await Promise.all(clients.map((each) => each.close()))
    },
  }
}
