// Failed logins make few lines in the log.

import { expect, test } from 'vitest'
import { openFailedLogins } from '#src/extensions/lms/web/failed-logins.ts'
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

const from = (address: string) => ({ system: 'shop', address, reason: 'credentials-wrong' })

test('a thousand failures make two log lines without an address: the first failure, and the total of the minute', async () => {
  const { logins, sleeps, lines } = openLogins()
  for (let n = 0; n < 1_000; n++) logins.add(from(`192.0.2.${n % 7}`))
  expect(lines).toEqual([{ system: 'shop', reason: 'credentials-wrong', count: 1, addresses: 1 }])
  sleeps.find(({ ms }) => ms === 60_000)?.wake()
  await expect.poll(() => lines.length).toBe(2)
  expect(lines[1]).toEqual({ system: 'shop', reason: 'credentials-wrong', count: 999, addresses: 7 })
  expect(JSON.stringify(lines)).not.toContain('192.0.2')
  await logins[Symbol.asyncDispose]()
})

test('closing logs the remaining count', async () => {
  const { logins, lines } = openLogins()
  for (let n = 0; n < 9; n++) logins.add(from('192.0.2.1'))
  await logins[Symbol.asyncDispose]()
  expect(lines.at(-1)).toMatchObject({ count: 8, addresses: 1 })
})
