// When a worker may declare others dead: only while its own registration shows that it was present all the time.

import { expect, test } from 'vitest'
import { registerWorker } from '#jobs/worker/worker-registration.ts'
import type { App } from '#src/app/app.ts'
import { silentLog } from '#src/platform/log/log.ts'
import type { Clock } from '#src/platform/time/clock.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { openTestLedger } from '#test/support/test-ledger.ts'
import { until } from '#test/support/until.ts'

const silent = 10_000

/** A clock whose time and heartbeats the test controls. */
function openHeartbeatClock() {
  let nowMs = 0
  let beat = () => {}
  const clock: Clock = {
    now: () => new Date(0),
    monotonicMs: () => nowMs,
    sleep: (_, signal) =>
      new Promise((resolve, reject) => {
        beat = resolve
        signal?.addEventListener('abort', () => reject(signal.reason))
      }),
  }
  const pass = (ms: number) => {
    nowMs += ms
  }
  return { clock, pass, beat: () => beat() }
}

describeWithDatabase('a worker that shares the work', () => {
  test('may reap after its heartbeats had no gap for as long as a worker may be silent, and not while it has one', async () => {
    await using stack = new AsyncDisposableStack()
    const open = stack.use(await openTestLedger())
    const { clock, pass, beat } = openHeartbeatClock()
    let beats = 0
    const noteAlive = async (instance: string) => {
      const isKnown = await open.ledger.workers.noteAlive(instance)
      beats++
      return isKnown
    }
    const app = {
      ledger: { ...open.ledger, workers: { ...open.ledger.workers, noteAlive } },
      queues: { storeId: async () => 'one' },
      instance: 'one',
      settingsHash: 'a hash',
      tuning: { aliveMs: { every: 2_000, silent } },
      log: silentLog,
      clock,
    } as unknown as App
    const registration = await registerWorker(app, null)
    if (!registration) throw new Error('Another worker rules this one out.')
    stack.defer(() => registration.end(true))
    const beatAfter = async (ms: number) => {
      const before = beats
      pass(ms)
      beat()
      await until('a heartbeat', () => beats > before)
      // The heartbeat is counted once its result has arrived.
      await new Promise((resolve) => setImmediate(resolve))
    }
    expect(registration.canReap()).toBe(false)
    await beatAfter(6_000)
    await beatAfter(6_000)
    expect(registration.canReap()).toBe(true)
    // The process stalls, and so do its heartbeats: it cannot tell who else was silent meanwhile.
    pass(silent)
    expect(registration.canReap()).toBe(false)
    await beatAfter(0)
    expect(registration.canReap()).toBe(false)
    await beatAfter(6_000)
    await beatAfter(6_000)
    expect(registration.canReap()).toBe(true)
  })
})
