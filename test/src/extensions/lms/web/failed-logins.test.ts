// After failed logins, refusals for that sender get slower, log lines are limited, and records expire.

import { expect, test } from 'vitest'
import { limits, openFailedLogins, refusalDelayMs } from '#src/extensions/lms/web/failed-logins.ts'
import type { EventFields, EventName } from '#src/platform/log/events.ts'

/** A clock whose sleeps end only when `wake` is called. */
function manualClock() {
  const sleeps: { ms: number; wake: () => void }[] = []
  const at = { ms: 0 }
  const clock = {
    now: () => new Date(at.ms),
    monotonicMs: () => at.ms,
    sleep: (ms: number, signal?: AbortSignal) =>
      new Promise<void>((resolve, reject) => {
        signal?.addEventListener('abort', () => reject(signal.reason))
        sleeps.push({ ms, wake: resolve })
      }),
  }
  return { clock, sleeps, at }
}

function openLogins() {
  const lines: EventFields[] = []
  const log = {
    event(name: EventName, fields: EventFields = {}) {
      expect(name).toBe('inbound_event.refused')
      lines.push(fields)
    },
  }
  const manual = manualClock()
  return { ...manual, lines, logins: openFailedLogins({ clock: manual.clock, log }) }
}

const from = (address: string, system = 'shop') => ({ system, address, reason: 'credentials-wrong' })

test('the first failures are answered immediately, and further ones after growing delays of up to ten seconds', () => {
  expect([1, 5, 6, 7, 8, 11, 12, 100].map(refusalDelayMs)).toEqual([0, 0, 200, 400, 800, 6_400, 10_000, 10_000])
})

test('a sender is counted by its address at one system, and forgotten after 15 minutes', async () => {
  const { logins, sleeps, at } = openLogins()
  for (let n = 0; n < 5; n++) await logins.recordFailure(from('192.0.2.1'))
  await logins.recordFailure(from('192.0.2.2'))
  await logins.recordFailure(from('192.0.2.1', 'lms'))
  const slow = logins.recordFailure(from('192.0.2.1'))
  expect(sleeps.at(-1)?.ms).toBe(200)
  sleeps.at(-1)?.wake()
  await slow
  at.ms += 15 * 60_000
  await logins.recordFailure(from('192.0.2.1'))
})

test('a thousand failures make two log lines without an address: the first failure, and the total of the minute', async () => {
  const { logins, sleeps, lines } = openLogins()
  for (let n = 0; n < 1_000; n++) void logins.recordFailure(from(`192.0.2.${n % 7}`))
  expect(lines).toEqual([{ system: 'shop', reason: 'credentials-wrong', count: 1, addresses: 1 }])
  sleeps.find(({ ms }) => ms === 60_000)?.wake()
  await expect.poll(() => lines.length).toBe(2)
  expect(lines[1]).toEqual({ system: 'shop', reason: 'credentials-wrong', count: 999, addresses: 7 })
  expect(JSON.stringify(lines)).not.toContain('192.0.2')
  await logins[Symbol.asyncDispose]()
})

test('closing logs the remaining count and releases everyone who is still waiting', async () => {
  const { logins, lines } = openLogins()
  const waits = Array.from({ length: 9 }, () => logins.recordFailure(from('192.0.2.1')))
  await logins[Symbol.asyncDispose]()
  await Promise.all(waits)
  expect(lines.at(-1)).toMatchObject({ count: 8, addresses: 1 })
})

test('of many concurrent failures of one sender, some wait and the rest are not answered', async () => {
  const { logins, sleeps } = openLogins()
  const answers: boolean[] = []
  for (let n = 0; n < 101; n++) void logins.recordFailure(from('one')).then((isAnswered) => answers.push(isAnswered))
  await expect.poll(() => answers.length).toBe(101 - 10)
  expect(answers.filter(Boolean)).toHaveLength(5)
  expect(await logins.recordFailure(from('another'))).toBe(true)
  for (const { ms, wake } of sleeps) if (ms <= 10_000) wake()
  await expect.poll(() => answers.filter(Boolean).length).toBe(5 + limits.waitingOfOne)
  const before = sleeps.length
  void logins.recordFailure(from('one'))
  expect(sleeps).toHaveLength(before + 1)
})

test('the numbers of remembered senders and waiting refusals are limited, and no refusal beyond them is answered', async () => {
  const { logins, sleeps } = openLogins()
  for (let n = 0; n < 2 * limits.senders; n++) await logins.recordFailure(from(`host ${n}`))
  expect(logins.senderCount()).toBe(limits.senders)
  for (let sender = 0; sender < limits.waiting / limits.waitingOfOne; sender++)
    for (let n = 0; n < 5 + limits.waitingOfOne; n++) void logins.recordFailure(from(`sender ${sender}`))
  for (let n = 0; n < 5; n++) await logins.recordFailure(from('one'))
  expect(await logins.recordFailure(from('one'))).toBe(false)
  // The additional sleep is the minute before the total is logged.
  expect(sleeps).toHaveLength(limits.waiting + 1)
})
