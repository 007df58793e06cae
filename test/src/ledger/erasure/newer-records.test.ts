// What comes of a person between the search and the request of an erasure.

import { expect, test } from 'vitest'
import { comparisonOf, type Person, publish, type Rule } from '#test/src/ledger/runs/lists-of-people.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { otherCourse } from '#test/support/domain-objects.ts'
import { openTestLedger, type TestLedger } from '#test/support/test-ledger.ts'

const ada: Person = ['ada@example.org', 'Ada', 'King', 'R1', '1990-01-01']
const bea: Person = ['ada@example.org', 'Bea', 'King', 'R2', '1990-01-01']
const wrong = (person: Person, born = 'no date'): Person => [...person.slice(0, 4), born] as Person
const nothing = { ids: [], rows: [], completions: [] }

const ingest = ({ ledger }: TestLedger, learner: string, [email, first, last]: Person, pipeline = 'spring') =>
  ledger.completions.ingest(
    { system: 'campus', pipeline, renewAfterMs: null },
    [
      {
        ...{ learner, course: 'FIRE-1', completedAt: new Date(0) },
        cells: { Email: email, 'First Name': first, 'Last Name': last },
      },
    ],
    'poll',
  )

async function request({ ledger }: TestLedger, content: object, between: () => Promise<unknown>, rule: Rule = {}) {
  const searchedTo = await ledger.erasures.searchedTo()
  await between()
  const asked = { by: 'ada', reason: 'a letter', revokes: false, releases: false }
  return ledger.erasures.request({
    ...{ ...nothing, ...content, ...asked, comparisonOf: comparisonOf(rule), searchedTo },
  })
}

describeWithDatabase('what comes after the search', () => {
  test('is part of the erasure if it certainly is of the person, and is named if it may be', async () => {
    await using testLedger = await openTestLedger()
    const { database } = testLedger
    await publish(testLedger, [ada])
    await ingest(testLedger, '1', ada)
    let run: string | undefined
    const { newer, id } = await request(testLedger, { ids: [1], completions: [1] }, async () => {
      run = (await publish(testLedger, [wrong(ada), wrong(bea)], { course: otherCourse })).run?.id
      await publish(testLedger, [ada], { course: otherCourse })
      await ingest(testLedger, '2', ada)
      await ingest(testLedger, '3', bea)
    })
    expect(newer).toEqual({
      ...{ ids: [2], rows: [{ run, row: 2 }], completions: [2] },
      leftOut: { ids: [], rows: [{ run, row: 3 }], completions: [3] },
    })
    const { rows } = await database.query(
      `SELECT ARRAY(SELECT issuance_id::int FROM erased_issuance WHERE erasure_id = $1 ORDER BY 1) AS ids,
              ARRAY(SELECT row_number FROM erased_row WHERE erasure_id = $1) AS rows, ARRAY(SELECT completion_id::int FROM erased_completion WHERE erasure_id = $1 ORDER BY 1) AS completions`,
      [id],
    )
    expect(rows).toEqual([{ ids: [1, 2], rows: [2], completions: [1, 2] }])
  })

  test('is no part of it if the person is only the teacher in it', async () => {
    await using testLedger = await openTestLedger()
    await publish(testLedger, [ada])
    const pupil: Person = ['zoe@example.org', 'Zoe', 'Drake', 'R3', 'no date']
    const { newer } = await request(testLedger, { ids: [1] }, () =>
      publish(testLedger, [[...pupil, 'ada@example.org', 'Ada', 'King']], { moreTitles: ['Mail', 'Teacher', 'Name'] }),
    )
    expect(newer).toMatchObject({ rows: [], leftOut: { rows: [{ row: 2 }] } })
  })

  test('is part of it in another course, too', async () => {
    await using testLedger = await openTestLedger()
    await publish(testLedger, [ada])
    const again = () => publish(testLedger, [ada], { course: otherCourse })
    expect((await request(testLedger, { ids: [1] }, again)).newer).toMatchObject({ ids: [2] })
  })

  test('is part of it if it is of the same learner, or an exact copy of the row', async () => {
    await using testLedger = await openTestLedger()
    const unnamed: Person = ['ada@example.org', '', '', '', 'no date']
    const { run } = await publish(testLedger, [unnamed])
    await ingest(testLedger, '7', ['', '', '', '', ''])
    const content = { rows: [{ run: run?.id, row: 2 }], completions: [1] }
    const { newer } = await request(testLedger, content, async () => {
      await publish(testLedger, [wrong(bea), unnamed])
      await ingest(testLedger, '7', ['zoe@example.org', 'Zoe', 'King', '', ''], 'autumn')
    })
    expect(newer).toMatchObject({ rows: [{ row: 3 }], completions: [2], leftOut: { rows: [{ row: 2 }] } })
  })

  test('is part of it if only others that came later connect it to the person', async () => {
    await using testLedger = await openTestLedger()
    await publish(testLedger, [ada])
    const zoe: Person = ['zoe@example.org', 'Zoe', 'King', '', '1990-01-01']
    // Left out until it is known that the name is that of the learner.
    const zoeAtAdas: Person = ['ada@example.org', 'Zoe', 'King', 'zoe@example.org', 'no date']
    let run: string | undefined
    const { newer } = await request(testLedger, { ids: [1] }, async () => {
      run = (await publish(testLedger, [wrong(zoe), zoeAtAdas], { course: otherCourse })).run?.id
      await ingest(testLedger, '5', zoe, 'autumn')
      await ingest(testLedger, '5', ada)
    })
    expect({ ...newer, rows: newer.rows.map(({ row }) => row).sort() }).toEqual({
      ...{ ids: [], rows: [2, 3], completions: [2, 1], leftOut: nothing },
    })
    expect(newer.rows[0]?.run).toBe(run)
  })

  test('is nothing if nobody came', async () => {
    await using testLedger = await openTestLedger()
    await publish(testLedger, [ada])
    const { newer } = await request(testLedger, { ids: [1] }, () =>
      publish(testLedger, [['bea@example.org', ...bea.slice(1)] as Person]),
    )
    expect(newer).toEqual({ ...nothing, leftOut: nothing })
  })
})
