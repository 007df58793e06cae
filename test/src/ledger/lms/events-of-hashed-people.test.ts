// Bodies of events about somebody of whom the ledger has no data but hashes, or only an invalid row.

import { expect, test } from 'vitest'
import { forget, type Person, publish, request } from '#test/src/ledger/runs/lists-of-people.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { openTestLedger, type TestLedger } from '#test/support/test-ledger.ts'

const ada: Person = ['ada@example.org', 'Ada', 'King', 'R1', '1990-01-01']
const refused: Person = [...ada.slice(0, 4), 'no date'] as Person

/** Stores events of the learning system, which are processed, or not understood. */
async function keep({ ledger }: TestLedger, bodies: readonly object[], isStrange = false): Promise<void> {
  for (const body of bodies.map((each) => Buffer.from(JSON.stringify(each))))
    await ledger.inboundEvents.keep([{ system: 'campus', key: body.toString('hex').slice(-40), headers: {}, body }])
  for (const { id } of await ledger.inboundEvents.unprocessed('campus', 9))
    await ledger.inboundEvents.noteProcessed(
      id,
      isStrange ? { kind: 'strange', problem: 'not understood' } : { kind: 'processed' },
    )
}

const keptBodies = async ({ database }: TestLedger) =>
  (
    await database.query<{ body: Buffer }>('SELECT body FROM inbound_event WHERE body IS NOT NULL ORDER BY id')
  ).rows.map(({ body }) => JSON.parse(body.toString('utf8')))

describeWithDatabase('the bodies of events', () => {
  test('about somebody of whom there is only an invalid row go by the address, and not by that of the teacher', async () => {
    await using testLedger = await openTestLedger()
    const { erasures } = testLedger.ledger
    const { run } = await publish(testLedger, [[...refused, 'teacher@example.org']], { moreTitles: ['Teacher E-Mail'] })
    await keep(testLedger, [
      { email: 'ADA@example.org' },
      { email: 'teacher@example.org' },
      { email: 'zoe@example.org' },
    ])
    await keep(testLedger, [{ email: 'ada@example.org', name: 'Ada King' }], true)
    const id = await request(testLedger, { rows: [{ run: run?.id ?? '', row: 2 }] })
    // The event that was not understood is about this person for certain, and is closed.
    expect(await erasures.emptyEvents(id)).toEqual([])
    expect(await keptBodies(testLedger)).toMatchObject([{ email: 'teacher@example.org' }, { email: 'zoe@example.org' }])
  })

  test('about somebody whose retention had ended go by the address, and by the number of the learner', async () => {
    await using testLedger = await openTestLedger()
    const { ledger, database } = testLedger
    const { run } = await publish(testLedger, [ada])
    const completion = { learner: '7', course: 'FIRE-1', completedAt: new Date(0), cells: { Email: 'ada@example.org' } }
    await ledger.completions.ingest({ system: 'campus', pipeline: 'spring', renewAfterMs: null }, [completion], 'poll')
    await database.query(`UPDATE completion SET state = 'taken', run_id = $1, row_number = 2`, [run?.id])
    await forget(testLedger, { ids: [1], completions: [1] })
    await database.query(`UPDATE erasure SET kind = 'retention', pipeline = 'spring'`)
    await keep(testLedger, [{ email: 'ada@example.org' }, { userid: '7' }, { userid: '8' }, { course: '7' }])
    const id = await request(testLedger, [1])
    expect(await ledger.erasures.emptyEvents(id)).toEqual([])
    expect(await keptBodies(testLedger)).toEqual([{ userid: '8' }, { course: '7' }])
  })
})
