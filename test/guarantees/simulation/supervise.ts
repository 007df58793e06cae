// Keeps workers running as a supervisor does: a worker that died or lost its lock is replaced shortly afterwards.

import type { Dice } from '#test/support/seeded-random.ts'
import { asLedger, type MemoryLedger } from './ledger/memory-ledger.ts'
import { type SimulationContext, startSimWorker } from './sim-worker.ts'
import { startProcess } from './simulated-process.ts'
import { hour, minute } from './weather.ts'

export interface Supervised {
  dice: Dice
  exclusive: boolean
  ledger: MemoryLedger
  context: Omit<SimulationContext, 'ledger' | 'exclusive'>
}

/** A connection is cut when its process has not answered for this long. */
const cutMs = 60_000

export function supervise({ dice, exclusive, ledger, context }: Supervised): { end(): void } {
  const { time, weather } = context
  let ended = false

  async function slot(number: number): Promise<void> {
    for (let life = 1; !ended; life++) {
      const name = `${number}.${life}`
      const own = dice.split(name)
      const process = startProcess(name, time, own, weather)
      const dropLocks = () => ledger.records.locks.releaseAll(name)
      process.onFreeze = (ms) => void (ms > cutMs && time.sleep(cutMs).then(dropLocks))
      const starting = startSimWorker(process, own, { ...context, ledger: asLedger(ledger.as(name)), exclusive })
      starting.catch(() => process.kill())
      const worker = await Promise.race([starting.catch(() => null), process.died.then(() => null)])
      if (worker) {
        // Simulates deployments, which stop a worker normally.
        const restart = time.sleep(own.between(4, 30) * hour).then(() => 'restart' as const)
        const how = await Promise.race([
          process.died.then(() => 'dead' as const),
          worker.lost.then(() => 'lost' as const),
          restart,
        ])
        await process.awake()
        if (how === 'restart' && process.alive) await Promise.race([worker.stop(), process.died])
      }
      process.kill()
      // The server notices a dead connection after some time.
      await time.sleep(own.between(0, 30_000))
      dropLocks()
      await time.sleep(own.between(1_000, 5 * minute))
    }
  }

  // If only one worker may run, the second waits as a standby.
  for (const number of [1, 2]) void slot(number)
  return {
    end() {
      ended = true
    },
  }
}
