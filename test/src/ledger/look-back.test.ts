// Whose profiles are looked at in a night, in which order, and until when.

import { expect, test } from 'vitest'
import { recipients } from '#test/support/build.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { openTestLedger } from '#test/support/ledger.ts'

const target = 'moodle-profile campus'

/** Three learners with a verified tell each; the third was looked at longest ago. The night has just begun. */
async function openNight() {
  const place = await openTestLedger()
  const { database, ledger } = place
  const run = await place.publish(recipients(3))
  await database.query(
    `INSERT INTO completion (environment, system, pipeline, learner, course, completed_at, heard_by, cells, state, run_id, row_number)
     SELECT 'development', 'campus', 'spring', 'learner-' || row_number() OVER (ORDER BY id), 'FIRE-1', now(), 'poll', '{}', 'taken', run_id, row_number
     FROM issuance WHERE run_id = $1`,
    [run],
  )
  await database.query(
    `INSERT INTO tell (issuance_id, target, wanted, state, verified_at, looked_at)
     SELECT id, $1, 'issued', 'verified', now(), now() - make_interval(hours => 30 + id::int) FROM issuance`,
    [target],
  )
  await ledger.learningSystems.watch(['campus'])
  const now = new Date()
  await ledger.learningSystems.notePolled('campus', { nextAt: now, sweepAt: now, problem: null })
  return place
}

describeWithDatabase('the look back', () => {
  test('begins with whoever was looked at longest ago, and comes to its end', async () => {
    await using place = await openNight()
    const { lookBack } = place.ledger
    const seen: string[] = []
    for (;;) {
      const [found, ...more] = await lookBack.due('campus', target, 1)
      if (!found) break
      expect(more).toEqual([])
      seen.push(found.learner)
      for (const tell of found.tells) await lookBack.note(tell, { found: 'same' })
    }
    expect(seen).toEqual(['learner-3', 'learner-2', 'learner-1'])
  })

  test('is over after four hours, and goes on in the next night', async () => {
    await using place = await openNight()
    const due = () => place.ledger.lookBack.due('campus', target, 9)
    await place.database.query(`UPDATE learning_system SET swept_at = now() - interval '5 hours'`)
    expect(await due()).toEqual([])
    await place.database.query('UPDATE learning_system SET swept_at = now()')
    expect(await due()).toHaveLength(3)
    expect(await place.ledger.lookBack.due('campus', 'moodle-profile other', 9)).toEqual([])
  })

  test('notes what it found, unless something else is wanted by now', async () => {
    await using place = await openNight()
    const { lookBack, tells } = place.ledger
    const [first, second, third] = (await lookBack.due('campus', target, 9)).flatMap((each) => each.tells)
    if (!first || !second || !third) throw new Error('Three were expected.')
    await lookBack.note(first, { found: 'other', problem: 'It is another.' })
    await lookBack.note(second, { found: 'again' })
    await lookBack.note({ ...third, wanted: 'revoked' }, { found: 'again' })
    const counts = { pending: 1, written: 0, verified: 1, drifted: 1, failed: 0 }
    expect(await tells.standing()).toEqual([{ pipeline: 'spring', target, ...counts, problem: 'It is another.' }])
    expect(await tells.again('spring')).toBe(1)
    expect(await tells.standing()).toMatchObject([{ pending: 2, drifted: 0, problem: null }])
  })
})
