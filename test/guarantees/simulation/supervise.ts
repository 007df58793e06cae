// Keeps workers running, as a supervisor does: one that has died or lost its lock is followed by another a little later.

import type { Dice } from '#test/support/dice.ts'
import { asLedger, type MemoryLedger } from './ledger/memory-ledger.ts'
import { startProcess } from './process.ts'
import { type Surroundings, startSimWorker } from './sim-worker.ts'
import { hour, minute } from './weather.ts'

export interface Supervised {
  dice: Dice
  exclusive: boolean
  ledger: MemoryLedger
  around: Omit<Surroundings, 'ledger' | 'exclusive'>
}

/** A connection is cut when its process has not answered for so long. */
const cutMs = 60_000

export function supervise({ dice, exclusive, ledger, around }: Supervised): { end(): void } {
  const { time, weather } = around
  let ended = false

  async function slot(number: number): Promise<void> {
    for (let life = 1; !ended; life++) {
      const name = `${number}.${life}`
      const own = dice.of(name)
      const process = startProcess(name, time, own, weather)
      const dropLocks = () => ledger.locks.releaseAll(name)
      process.onFreeze = (ms) => void (ms > cutMs && time.sleep(cutMs).then(dropLocks))
      const starting = startSimWorker(process, own, { ...around, ledger: asLedger(ledger.as(name)), exclusive })
      starting.catch(() => process.kill())
      const worker = await Promise.race([starting.catch(() => null), process.died.then(() => null)])
      if (worker) {
        // Deployments come along, too: those let a worker stop in peace.
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
      // The server notices a dead connection sooner or later.
      await time.sleep(own.between(0, 30_000))
      dropLocks()
      await time.sleep(own.between(1_000, 5 * minute))
    }
  }

  // Where there may be one only, the second waits for the first to fall, as a standby does.
  for (const number of [1, 2]) void slot(number)
  return {
    end() {
      ended = true
    },
  }
}
