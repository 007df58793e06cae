// For how long a worker tries to write the outcome of a call: until the ledger assumes that the call was lost.

import { expect, test } from 'vitest'
import { persistOutcome } from '#jobs/send-once.ts'
import { deadlineMarginMs } from '#src/ledger/attempts/commit-claim.ts'
import { steppedClock } from '#test/support/clock.ts'
import { openRecordedLog } from '#test/support/recorded-log.ts'

const deadlineMs = 60_000

/** Starts to write an outcome whose database fails until `failsForMs` after the claim. */
function startWriting(failsForMs: number) {
  const clock = steppedClock()
  const log = openRecordedLog()
  const tools = { clock, log, tuning: { deadlineMs } } as unknown as Parameters<typeof persistOutcome>[0]
  let triedAtMs = 0
  const written = persistOutcome(tools, 0, async () => {
    triedAtMs = clock.monotonicMs()
    if (triedAtMs < failsForMs) throw Object.assign(new Error('planted'), { code: '57P03' })
    return 'written'
  }).catch((error: Error) => error.message)
  return { clock, log, written, triedAtMs: () => triedAtMs }
}

test('an outcome is written when the database is back seconds after the deadline of the call', async () => {
  const { clock, log, written } = startWriting(deadlineMs + 7_000)
  await clock.advance(deadlineMs + deadlineMarginMs)
  expect(await written).toBe('written')
  expect(log.lines.length).toBeGreaterThan(20)
  expect(new Set(log.lines.map((line) => JSON.stringify(line)))).toEqual(
    new Set(['["fault",{"where":"outcome","error":"Error (57P03)"}]']),
  )
})

test('an outcome is given up before the ledger assumes that the call was lost', async () => {
  const { clock, written, triedAtMs } = startWriting(Number.POSITIVE_INFINITY)
  await clock.advance(deadlineMs + deadlineMarginMs)
  expect(await written).toBe('planted')
  expect(triedAtMs()).toBeGreaterThan(deadlineMs + 7_000)
  expect(triedAtMs()).toBeLessThan(deadlineMs + deadlineMarginMs)
})
