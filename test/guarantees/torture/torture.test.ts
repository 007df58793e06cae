// T8, queue torture: whatever a queue does with our jobs, everybody is issued once, nobody is lost, and the source is told the truth.
// The stories, PostgreSQL and the sandbox are real; only the queue is replaced. SEED=n repeats one seed: the same draws, though the
// machine may interleave them otherwise.

import { expect, test } from 'vitest'
import { describeWithDatabase } from '#test/support/database.ts'
import { seeds, sized, tally } from '#test/support/size.ts'
import { inPool } from './pool.ts'
import { type CaseCounts, tortureOnce } from './tortured-run.ts'

const cases = seeds(sized(4, 5_000))
const atOnce = 4
/** A case takes about two seconds, and four run at once. */
const timeoutMs = 120_000 + cases.length * 4_000

describeWithDatabase('jobs that come twice, three times, backwards, all at once, late or never', () => {
  test(
    'issue everybody once, lose nobody and tell the truth',
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
        'jobs asked': sum('asked'),
        delivered: sum('delivered'),
        deleted: sum('deleted'),
        faults: sum('faults'),
        issued: sum('issued'),
        'issued twice': sum('twice'),
        lost: sum('lost'),
        'told wrongly': sum('mistold'),
        'wrong person': sum('wrongPerson'),
        held: sum('held'),
      })
      expect(counts).toHaveLength(cases.length)
      // A torture that deletes nothing and delivers each job once would prove nothing.
      expect(sum('delivered')).toBeGreaterThan(sum('asked'))
      expect(sum('deleted')).toBeGreaterThan(0)
    },
    timeoutMs,
  )
})
