// Compares the twin with the real ledger: both get the same sequences of verbs, and after each verb results and full
// states must be equal. A result of a simulation on the twin applies to PostgreSQL only as far as this suite is strict.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { describeWithDatabase } from '#test/support/database.ts'
import { seeds, sized, tally } from '#test/support/suite-size.ts'
import { withRanks } from './ledger/conformance/ids-to-ranks.ts'
import type { Command } from './ledger/conformance/ledger-commands.ts'
import { play } from './ledger/conformance/play.ts'
import { openRealLedgers, type RealLedgers } from './ledger/conformance/real-side.ts'
import { sequences } from './ledger/conformance/sequences.ts'
import { type Side, sharedClock } from './ledger/conformance/side.ts'
import { twinSide } from './ledger/conformance/twin-side.ts'
import { openMemoryLedger } from './ledger/memory-ledger.ts'

const limitMs = sized(900, 7_200) * 1_000
const hashKey = Buffer.alloc(32, 7)

describeWithDatabase('the ledger in memory', () => {
  test(
    'gives the same results and state as the real one, for any sequence of verbs',
    async () => {
      await using realLedgers = await openRealLedgers(hashKey)
      const counts = { sequences: 0, commands: 0, refusals: 0, steps: 0, 'changed rows': 0, 'braked runs': 0 }
      await fc.assert(
        fc.asyncProperty(sequences, (commands) => compare(realLedgers, commands, counts)),
        // Shrinking may take very long; it is then stopped, and the shortest sequence so far is shown.
        {
          numRuns: sized(25, 2_000, 4),
          interruptAfterTimeLimit: limitMs,
          markInterruptAsFailure: true,
          seed: seeds(1)[0] as number,
        },
      )
      tally('the twin and the real ledger', counts)
      // Sequences without any effect would agree too.
      expect(counts.steps / counts.sequences).toBeGreaterThan(10)
      expect(counts['changed rows']).toBeGreaterThan(0)
      expect(counts['braked runs']).toBeGreaterThan(0)
    },
    limitMs + 60_000,
  )

  test.each(['the real ledger', 'its twin'])('has locks with one holder and a queue, in %s', async (which) => {
    await using realLedgers = which === 'its twin' ? null : await openRealLedgers(hashKey)
    const { ledger } = realLedgers ? await realLedgers.side(sharedClock()) : twinSide(hashKey, sharedClock())
    const events: string[] = []
    const gate = Promise.withResolvers<void>()
    const first = ledger.locks.withLock('scan', () => gate.promise)
    await ledger.locks.withLock('another', async () => void events.push('another'))
    // A real lock needs a round trip to the database.
    while ((await ledger.locks.withLock('scan', async () => 'free', false)) !== null);
    const second = ledger.locks.withLock('scan', async () => void events.push('second'))
    expect(await ledger.locks.hold('scan')).toBeNull()
    gate.resolve()
    await Promise.all([first, second])
    expect(events).toEqual(['another', 'second'])

    await expect(ledger.locks.withLock('scan', () => Promise.reject(new Error('broken')))).rejects.toThrow('broken')
    const held = await ledger.locks.hold('scan')
    expect(await ledger.locks.withLock('scan', async () => 'mine', false)).toBeNull()
    const after = [1, 2].map(() => ledger.locks.withLockAfter('scan', async () => 'after'))
    expect(await Promise.race(after)).toBeNull()
    await held?.release()
    expect((await Promise.all(after)).sort()).toEqual(['after', null])
    expect(await ledger.locks.withLockAfter('scan', async () => 'at once')).toBe('at once')
    expect(await ledger.locks.withLock('scan', async () => 'mine', false)).toBe('mine')
  })
})

test('a dead owner loses its locks, its session and its waits', async () => {
  const ledger = openMemoryLedger({ clock: sharedClock(), hashKey })
  const [dead, alive] = [ledger.as('dead'), ledger.as('alive')]
  const held = await dead.locks.hold('worker')
  const events: string[] = []
  void dead.locks.withLock('worker', async () => void events.push('a dead process works'))
  const next = alive.locks.withLock('worker', async () => void events.push('the next works'))
  ledger.records.locks.releaseAll('dead')
  await Promise.all([held?.lost, next])
  expect(events).toEqual(['the next works'])
  const standby = await alive.locks.hold('worker')
  await held?.release()
  expect(await ledger.locks.hold('worker')).toBeNull()
  const instance = '00000000-0000-4000-8000-000000000001'
  await expect(dead.attempts.markLost(instance, held ?? undefined)).rejects.toThrow('lost')
  expect(await alive.attempts.markLost(instance, standby ?? undefined)).toEqual([])
})

async function compare(
  realLedgers: RealLedgers,
  commands: readonly Command[],
  counts: Record<string, number>,
): Promise<void> {
  const clock = sharedClock()
  const [real, twin] = [await realLedgers.side(clock), twinSide(hashKey, clock)]
  counts.sequences = (counts.sequences ?? 0) + 1
  for (const command of commands) {
    clock.advance(delayBefore(command))
    await real.setClock()
    const [expected, found] = [await play(real, command), await play(twin, command)]
    expect(found, `what ${command.do} answers`).toEqual(expected)
    const held = await rankedStateOf(real)
    expect(await rankedStateOf(twin), `what the ledger holds after ${command.do}`).toEqual(held)
    counts.commands = (counts.commands ?? 0) + 1
    if (expected && typeof expected === 'object' && 'refused' in expected) counts.refusals = (counts.refusals ?? 0) + 1
  }
  const { issuances, runs } = await rankedStateOf(real)
  const steps = issuances.map((issuance) => issuance.history.length)
  counts.steps = steps.reduce((sum, each) => sum + each, counts.steps ?? 0)
  for (const run of runs) {
    counts['changed rows'] = (counts['changed rows'] ?? 0) + Number(run.changed)
    counts['braked runs'] = (counts['braked runs'] ?? 0) + Number(run.brake !== null)
  }
}

/** At least one second apart: events at the same instant have no order. */
function delayBefore(command: Command): number {
  if (command.do === 'time passes') return command.ms
  return command.do === 'scan' ? command.afterMs : 1_000
}

const rankedStateOf = async (side: Side) => withRanks(await side.fullState())
