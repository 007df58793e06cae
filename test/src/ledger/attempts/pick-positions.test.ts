// Due rows are looked for after those that were picked before, and no row is overlooked because of that.

import { expect, test } from 'vitest'
import { openWholeLedger } from '#src/app/whole-ledger.ts'
import { openPickPositions } from '#src/ledger/attempts/pick-positions.ts'
import { openDatabase } from '#src/platform/database/database.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { aCourse, aRecipient, otherCourse, recipients } from '#test/support/domain-objects.ts'
import { type Explained, explainedDatabase } from '#test/support/explained-database.ts'
import { keepStatistics } from '#test/support/plans.ts'
import { openTestLedger, type TestLedger } from '#test/support/test-ledger.ts'

/** The numbers in the addresses of the people in the next batch. */
async function pick({ ledger }: TestLedger, size: number): Promise<number[]> {
  const [attempt] = await ledger.attempts.prepare('spring', size)
  const batch = attempt === undefined ? null : await ledger.attempts.load(attempt)
  return (batch?.recipients ?? []).map(({ Email }) => Number(Email?.match(/\d+/)?.[0]))
}

const pauseUntil = ({ database }: TestLedger, course: string, until: string, environment = 'development') =>
  database.query(
    `INSERT INTO course (environment, course_uuid, paused_until) VALUES ($3, $1, $2)
     ON CONFLICT (environment, course_uuid) DO UPDATE SET paused_until = excluded.paused_until`,
    [course, until, environment],
  )

describeWithDatabase('rows that were picked', () => {
  test('are not passed again by each later pick, while PostgreSQL cannot remove their entries', async () => {
    await using scene = await openTestLedger()
    await keepStatistics(scene)
    await scene.publish(recipients(2_000))
    await using database = openDatabase(scene.url)
    const found: Explained[] = []
    const { attempts, work } = await openWholeLedger(
      explainedDatabase(database, (one) => found.push(one)),
      'development',
    )
    const pages = async () => {
      found.length = 0
      expect(await work.pipelinesWithDueRows()).toEqual(['spring'])
      expect(await attempts.prepare('spring', 20)).toHaveLength(1)
      return found.filter(({ statement }) => /^(SELECT n.pipeline|WITH due)/.test(statement)).map((one) => one.buffers)
    }
    await database.transaction(async (sql) => {
      // A snapshot in which the rows are still as they were.
      await sql.query('SELECT FROM issuance LIMIT 1')
      const first = await pages()
      expect(first).toHaveLength(2)
      for (let round = 0; round < 4; round++) expect(await scene.ledger.attempts.prepare('spring', 400)).toHaveLength(1)
      // The first pick still passes what the other ledger has picked; the next one begins after it.
      await pages()
      const later = await pages()
      // Passing the dead entries of those that were picked would take more than a hundred.
      for (const [index, before] of first.entries()) expect(later[index]).toBeLessThan(before + 50)
    }, 'repeatable read')
  })
})

describeWithDatabase('a pipeline with nothing due', () => {
  test('is searched from its first row at once, and then in every twentieth search', async () => {
    await using scene = await openTestLedger()
    await scene.publish(recipients(1))
    await scene.publish(recipients(1, 2), { pipeline: 'autumn' })
    await using database = openDatabase(scene.url)
    let looks = 0
    const counted = explainedDatabase(
      database,
      ({ statement }) => (looks += Number(/^SELECT n.pipeline/.test(statement))),
    )
    const { attempts, work } = await openWholeLedger(counted, 'development')
    await attempts.prepare('spring', 1)
    for (let sweep = 0; sweep < 40; sweep++) expect(await work.pipelinesWithDueRows()).toEqual(['autumn'])
    expect(looks).toBe(42)
    // As if the row had been due all the time.
    await scene.database.query(
      `UPDATE issuance SET due_at = '-infinity', open_attempt = NULL WHERE pipeline = 'spring'`,
    )
    let found: string[] = []
    for (let sweep = 0; sweep < 20 && found.length < 2; sweep++) found = await work.pipelinesWithDueRows()
    expect(found).toEqual(['autumn', 'spring'])
  })
})

describeWithDatabase('a row before the last one that was picked', () => {
  test('is picked as soon as the pause of its course is over', async () => {
    await using scene = await openTestLedger()
    await scene.publish(recipients(2, 1), { course: otherCourse })
    await scene.publish(recipients(6, 11), { course: aCourse })
    await pauseUntil(scene, otherCourse, 'infinity')
    expect(await pick(scene, 2)).toEqual([11, 12])
    expect(await pick(scene, 2)).toEqual([13, 14])
    await pauseUntil(scene, otherCourse, '-infinity')
    expect(await pick(scene, 2)).toEqual([1, 2])
    expect(await pick(scene, 2)).toEqual([15, 16])
  })

  test('is picked once it is not locked any more: at once if no other is due, and after twenty picks at the latest', async () => {
    await using scene = await openTestLedger()
    await scene.publish(recipients(30))
    const withLocked = (row: number, work: () => Promise<void>) =>
      scene.database.transaction(async (sql) => {
        await sql.query('SELECT FROM issuance WHERE id = $1 FOR UPDATE', [row])
        await work()
      })
    await withLocked(1, async () => expect(await pick(scene, 1)).toEqual([2]))
    const picked: number[] = []
    for (let n = 0; n < 20; n++) picked.push(...(await pick(scene, 1)))
    expect(picked).toEqual(Array.from({ length: 20 }, (_, index) => index + 3))
    expect(await pick(scene, 1)).toEqual([1])
    await withLocked(23, async () => expect(await pick(scene, 20)).toHaveLength(7))
    expect(await scene.ledger.work.pipelinesWithDueRows()).toEqual(['spring'])
    expect(await pick(scene, 1)).toEqual([23])
    expect(await scene.ledger.work.pipelinesWithDueRows()).toEqual([])
  })

  test.each<[what: string, pipeline: string, environment: string, until: string, settled: boolean, next: number]>([
    ['at once while a course of its pipeline is paused', 'spring', 'development', 'infinity', false, 1],
    ['late although a course of another pipeline is paused', 'autumn', 'development', 'infinity', false, 3],
    ['late although the course is paused in another environment', 'spring', 'production', 'infinity', false, 3],
    ['late once the pause of the course is over', 'spring', 'development', '-infinity', false, 3],
    ['late although the course of a settled run is paused', 'spring', 'development', 'infinity', true, 3],
  ])('is picked %s', async (_, pipeline, environment, until, settled, next) => {
    await using scene = await openTestLedger()
    const other = await scene.publish(recipients(1, 90), { course: otherCourse, pipeline })
    await scene.database.query(`UPDATE issuance SET due_at = 'infinity'`)
    if (settled) await scene.database.query(`UPDATE issuance SET state = 'failed'`)
    if (settled) expect(await scene.ledger.runs.settle()).toEqual([other])
    await pauseUntil(scene, otherCourse, until, environment)
    await scene.publish(recipients(4))
    await scene.database.transaction(async (sql) => {
      await sql.query(`SELECT FROM issuance WHERE recipient->>'Email' = $1 FOR UPDATE`, [aRecipient(1).Email])
      expect(await pick(scene, 1)).toEqual([2])
    })
    expect(await pick(scene, 1)).toEqual([next])
  })

  test('is picked if the pick before was not committed', async () => {
    await using scene = await openTestLedger()
    await scene.publish(recipients(4))
    expect(await pick(scene, 1)).toEqual([1])
    await scene.database.query(`CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE ''no''; END'`)
    await scene.database.query(
      'CREATE CONSTRAINT TRIGGER refuse AFTER INSERT ON attempt DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION refuse()',
    )
    await expect(pick(scene, 1)).rejects.toThrow('no')
    await scene.database.query('DROP TRIGGER refuse ON attempt')
    expect(await pick(scene, 3)).toEqual([2, 3, 4])
  })

  test('is picked next if it was left because only a canary was sent', async () => {
    await using scene = await openTestLedger()
    await scene.publish(recipients(5))
    const [canary = 0] = await scene.ledger.attempts.prepare('spring', 3, { canary: true })
    expect((await scene.ledger.attempts.load(canary))?.recipients).toHaveLength(1)
    expect(await pick(scene, 2)).toEqual([2, 3])
  })

  test('is picked next if it was left because a batch has one course', async () => {
    await using scene = await openTestLedger()
    for (const n of [1, 2, 3, 4, 5, 6])
      await scene.publish([aRecipient(n)], { course: n % 2 ? aCourse : otherCourse, name: `${n}.csv` })
    expect(await pick(scene, 2)).toEqual([1])
    expect(await pick(scene, 2)).toEqual([2])
    expect(await pick(scene, 2)).toEqual([3])
    expect(await pick(scene, 2)).toEqual([4])
  })

  test('is picked first if its list was published after a later row was picked', async () => {
    await using scene = await openTestLedger()
    await scene.publish(recipients(4))
    expect(await pick(scene, 2)).toEqual([1, 2])
    await scene.publish(recipients(3, 10), { name: 'long.csv' })
    // As if its rows had been inserted before those that were picked.
    await scene.database.query(`UPDATE issuance SET due_at = due_at - interval '1 minute' WHERE id > 4`)
    expect(await pick(scene, 4)).toEqual([10, 11, 12, 3])
  })

  test('is not passed over by a pick that began before its list was published, and ends afterwards', () => {
    const positions = openPickPositions()
    const row = { dueAt: '2026-03-01T00:00:00.000000Z', id: 7 }
    positions.begin('spring').end(row)
    expect(positions.begin('spring').from).toMatchObject(row)
    const pickUnderWay = positions.begin('spring')
    positions.forget('spring')
    pickUnderWay.end({ ...row, id: 8 })
    expect(positions.begin('spring').from).toBeNull()
  })
})
