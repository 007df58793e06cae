// Queue torture: whatever a queue does with our jobs, everyone is issued once, no one is lost, and the results are
// correct. The jobs, PostgreSQL and the sandbox are real; only the queue is replaced. SEED=n repeats one seed with the
// same draws, though their order may differ between runs.

import { expect, test } from 'vitest'
import { describeWithDatabase } from '#test/support/database.ts'
import { seeds, sized, tally } from '#test/support/suite-size.ts'
import { inPool } from './pool.ts'
import { type CaseCounts, tortureOnce } from './tortured-run.ts'

const cases = seeds(sized(4, 5_000))
const atOnce = 4
/** A case takes about two seconds, and four run concurrently. */
const timeoutMs = 900_000 + cases.length * 4_000

describeWithDatabase('jobs delivered twice, three times, in reverse order, all at the same time, late or never', () => {
  test(
    'give everyone exactly one credential, lose no recipient and report correct results',
    async () => {
      const counts: CaseCounts[] = []
      await inPool(cases, atOnce, async (seed) => {
        await tortureOnce(seed).then(
          (each) => counts.push(each),
          (cause) => {
            if (cause instanceof Error)
              cause.message = `seed ${seed} (SEED=${seed} npx vitest run test/guarantees/torture): ${cause.message}`
            throw cause
          },
        )
      })
      const sum = (what: keyof CaseCounts) => counts.reduce((total, each) => total + (each[what] ?? 0), 0)
      tally('queue torture', {
        seeds: counts.length,
        'jobs requested': sum('requested'),
        delivered: sum('delivered'),
        repeated: sum('repeated'),
        deleted: sum('deleted'),
        faults: sum('faults'),
        issued: sum('issued'),
        'issued twice': sum('twice'),
        lost: sum('lost'),
        'wrongly reported': sum('falseResults'),
        'wrong person': sum('wrongPerson'),
        held: sum('held'),
      })
      expect(counts).toHaveLength(cases.length)
      // A run in which no job was deleted or repeated would prove nothing.
      expect(sum('repeated')).toBeGreaterThan(0)
      expect(sum('deleted')).toBeGreaterThan(0)
    },
    timeoutMs,
  )
})
