// The twin against the real ledger: sequences of verbs go to both, and after each of them both must have answered the same and hold the same. What a
// simulation on the twin shows is as true of PostgreSQL as this suite is strict.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { describeWithDatabase } from '#test/support/database.ts'
import { seeds, sized, tally } from '#test/support/size.ts'
import type { Command } from './ledger/conformance/commands.ts'
import { play } from './ledger/conformance/play.ts'
import { openRealHouse, type RealHouse } from './ledger/conformance/real-side.ts'
import { sequences } from './ledger/conformance/sequences.ts'
import { type Side, sharedClock } from './ledger/conformance/side.ts'
import { twinSide } from './ledger/conformance/twin-side.ts'
import { withRanks } from './ledger/conformance/with-ranks.ts'
import { openMemoryLedger } from './ledger/memory-ledger.ts'

const limitMs = sized(240, 7_200) * 1_000
const hashKey = Buffer.alloc(32, 7)

describeWithDatabase('the ledger in memory', () => {
  test(
    'answers and holds what the real one does, whatever the sequence of verbs',
    async () => {
      await using house = await openRealHouse(hashKey)
      const counts = { sequences: 0, commands: 0, refusals: 0, steps: 0, 'changed rows': 0, 'braked runs': 0 }
      await fc.assert(
        fc.asyncProperty(sequences, (commands) => compare(house, commands, counts)),
        // Shrinking can take longer than anybody waits: then it is broken off, and the sequence so far is shown.
        {
          numRuns: sized(25, 2_000),
          interruptAfterTimeLimit: limitMs,
          markInterruptAsFailure: true,
          seed: seeds(1)[0] as number,
        },
      )
      tally('the twin and the real ledger', counts)
      // A suite that never gets anywhere agrees as well.
      expect(counts.steps / counts.sequences).toBeGreaterThan(10)
      expect(counts['changed rows']).toBeGreaterThan(0)
      expect(counts['braked runs']).toBeGreaterThan(0)
    },
    limitMs + 60_000,
  )

  test.each(['the real ledger', 'its twin'])('has locks of one holder and a next in line, as %s has', async (which) => {
    await using house = which === 'its twin' ? null : await openRealHouse(hashKey)
    const { ledger } = house ? await house.side(sharedClock()) : twinSide(hashKey, sharedClock())
    const said: string[] = []
    const gate = Promise.withResolvers<void>()
    const first = ledger.withLock('scan', () => gate.promise)
    await ledger.withLock('another', async () => void said.push('another'))
    // A real lock is taken on the way to the database and back.
    while ((await ledger.withLock('scan', async () => 'free', false)) !== null);
    const second = ledger.withLock('scan', async () => void said.push('second'))
    expect(await ledger.holdLock('scan')).toBeNull()
    gate.resolve()
    await Promise.all([first, second])
    expect(said).toEqual(['another', 'second'])

    await expect(ledger.withLock('scan', () => Promise.reject(new Error('broken')))).rejects.toThrow('broken')
    const held = await ledger.holdLock('scan')
    expect(await ledger.withLock('scan', async () => 'mine', false)).toBeNull()
    const after = [1, 2].map(() => ledger.withLockAfter('scan', async () => 'after'))
    expect(await Promise.race(after)).toBeNull()
    await held?.release()
    expect((await Promise.all(after)).sort()).toEqual(['after', null])
    expect(await ledger.withLockAfter('scan', async () => 'at once')).toBe('at once')
    expect(await ledger.withLock('scan', async () => 'mine', false)).toBe('mine')
  })
})

test('the locks of an owner that has died are free, its session is lost, and it waits for nothing any more', async () => {
  const ledger = openMemoryLedger({ clock: sharedClock(), hashKey })
  const [dead, alive] = [ledger.as('dead'), ledger.as('alive')]
  const held = await dead.holdLock('worker')
  const said: string[] = []
  void dead.withLock('worker', async () => void said.push('a dead process works'))
  const next = alive.withLock('worker', async () => void said.push('the next works'))
  ledger.locks.releaseAll('dead')
  await Promise.all([held?.lost, next])
  expect(said).toEqual(['the next works'])
  const standby = await alive.holdLock('worker')
  await held?.release()
  expect(await ledger.holdLock('worker')).toBeNull()
  const instance = '00000000-0000-4000-8000-000000000001'
  await expect(dead.loseAttempts(instance, held ?? undefined)).rejects.toThrow('lost')
  expect(await alive.loseAttempts(instance, standby ?? undefined)).toEqual([])
})

async function compare(house: RealHouse, commands: readonly Command[], counts: Record<string, number>): Promise<void> {
  const clock = sharedClock()
  const [real, twin] = [await house.side(clock), twinSide(hashKey, clock)]
  counts.sequences = (counts.sequences ?? 0) + 1
  for (const command of commands) {
    clock.advance(passesBefore(command))
    await real.setClock()
    const [expected, found] = [await play(real, command), await play(twin, command)]
    expect(found, `what ${command.do} answers`).toEqual(expected)
    const held = await standingOf(real)
    expect(await standingOf(twin), `what the ledger holds after ${command.do}`).toEqual(held)
    counts.commands = (counts.commands ?? 0) + 1
    if (expected && typeof expected === 'object' && 'refused' in expected) counts.refusals = (counts.refusals ?? 0) + 1
  }
  const { issuances, runs } = await standingOf(real)
  const steps = issuances.map((each) => each.history.length)
  counts.steps = steps.reduce((sum, each) => sum + each, counts.steps ?? 0)
  for (const run of runs) {
    counts['changed rows'] = (counts['changed rows'] ?? 0) + Number(run.changed)
    counts['braked runs'] = (counts['braked runs'] ?? 0) + Number(run.brake !== null)
  }
}

/** A second at least: what is written at one instant has no order. */
function passesBefore(command: Command): number {
  if (command.do === 'time passes') return command.ms
  return command.do === 'scan' ? command.afterMs : 1_000
}

const standingOf = async (side: Side) => withRanks(await side.standing())
