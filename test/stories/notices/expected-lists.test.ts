// Lists that are expected every working day, through the ledger: what a registrar reads, and when.

import { describe, expect, test } from 'vitest'
import { recipients } from '#test/support/domain-objects.ts'
import { type NoticeWorld, openNoticeWorld } from '#test/support/notice-world.ts'

const mornings = { by: '06:00', days: 'mon-fri', timeZone: 'Europe/Berlin', minRows: 2 }

/** A list that comes at this time with so many rows. */
async function comes({ ledger }: NoticeWorld, at: string, rows = 3): Promise<void> {
  const run = await ledger.publish(recipients(rows))
  await ledger.database.query('UPDATE run SET received_at = $2 WHERE id = $1', [run, at])
}

const notify = () => ({ to: { office: { email: ['office@example.org'], on: ['missing'] } } })

test('a weekly list that is missing twice has its own age each time', async () => {
  const mondays = { by: '06:00', days: 'mon', timeZone: 'Europe/Berlin' }
  await using world = await openNoticeWorld({ notify, pipeline: { expect: mondays }, now: '2026-11-20T08:00:00Z' })
  await world.round()
  for (const at of ['2026-11-23T05:00:00Z', '2026-11-23T05:01:00Z']) await world.at(at)
  for (const at of ['2026-11-29T05:00:00Z', '2026-11-29T05:01:00Z']) await world.at(at)
  for (const at of ['2026-11-30T05:00:00Z', '2026-11-30T05:01:00Z', '2026-11-30T06:00:00Z']) await world.at(at)
  await comes(world, '2026-11-30T07:00:00Z')
  for (const at of ['2026-11-30T08:00:00Z', '2026-11-30T08:01:00Z']) await world.at(at)
  const [first, second] = ['Mon 23 Nov', 'Mon 30 Nov'].map((day) => `due at 06:00 on ${day} (Europe/Berlin)`)
  expect(world.subjects().map((subject) => subject.replace('credsync (development): ', ''))).toEqual([
    `spring: the list that was ${first} is missing (for 1m)`,
    `spring: the list that was ${first} is missing (for 6d 1m)`,
    `spring: the list that was ${second} is missing (for 1m)`,
    `Over: spring: a list has come; one was ${second} (after 3h)`,
  ])
})

describe('a list that came in time is not called missing', () => {
  const source = { pipeline: 'spring', sourceName: 'people.csv', sourceSha256: 'same' }
  const openMorning = async () => {
    const world = await openNoticeWorld({ notify, pipeline: { expect: mornings }, now: '2026-10-18T20:00:00Z' })
    await world.round()
    return world
  }
  const cameAt = ({ ledger }: NoticeWorld, table: 'run' | 'list_copy', at: string) =>
    ledger.database.query(`UPDATE ${table} SET ${table === 'run' ? 'received_at' : 'at'} = $1`, [at])
  const titles = (world: NoticeWorld) =>
    world.subjects().map((subject) => subject.replace('credsync (development): spring: the list that was due ', ''))

  test.each(['waits', 'copy'] as const)(
    'if it is an exact copy of an unfinished one, for which no run is created (%s)',
    async (as) => {
      await using world = await openMorning()
      const { inboxes, runs } = world.ledger.ledger
      const take = (path: string) => inboxes.receive({ ...source, sourcePath: path, runIdPrefix: null })
      const runId = as === 'copy' ? await world.ledger.publish(recipients(3)) : (await take('/in/1')).runId
      await world.ledger.database.query(`UPDATE run SET source_sha256 = 'same'`)
      await cameAt(world, 'run', '2026-10-19T03:50:00Z')
      for (const at of ['2026-10-19T04:00:00Z', '2026-10-19T04:01:00Z']) await world.at(at)
      expect(await take('/in/2')).toMatchObject({ runId, as })
      expect(await runs.receive({ ...source, sourcePath: '/in/3' })).toMatchObject({
        run: { id: runId },
        resumed: true,
      })
      await world.ledger.database.query(`UPDATE list_copy SET at = '2026-10-20T03:50:00Z'`)
      // Looked at again while it waits.
      expect(await take('/in/2')).toMatchObject({ runId, as })
      for (const at of ['2026-10-20T04:00:00Z', '2026-10-20T04:01:00Z', '2026-10-20T09:00:00Z']) await world.at(at)
      expect(world.subjects()).toEqual([])
      for (const at of ['2026-10-21T04:00:00Z', '2026-10-21T04:01:00Z']) await world.at(at)
      expect(titles(world)).toEqual(['at 06:00 on Wed 21 Oct (Europe/Berlin) is missing (for 1m)'])
    },
  )

  test('unless it was refused by the program, or rejected by an operator', async () => {
    await using world = await openMorning()
    const { runs, brake } = world.ledger.ledger
    const { run } = await runs.receive({ ...source, sourcePath: '/in/1' })
    await runs.refuse(run.id, 'It has no column e_mail.')
    await cameAt(world, 'run', '2026-10-19T03:50:00Z')
    for (const at of ['2026-10-19T04:00:00Z', '2026-10-19T04:01:00Z']) await world.at(at)
    expect(titles(world)).toEqual(['at 06:00 on Mon 19 Oct (Europe/Berlin) is missing (for 1m)'])
    const second = await runs.receive({ ...source, sourcePath: '/in/2' })
    await world.ledger.database.query(
      `UPDATE run SET state = 'braked', braked_at = received_at, received_at = '2026-10-20T03:50:00Z', would_accept = 9, braked_because = 'It is too many.' WHERE id = $1`,
      [second.run.id],
    )
    for (const at of ['2026-10-20T04:00:00Z', '2026-10-20T04:01:00Z']) await world.at(at)
    expect(world.subjects()[1]).toContain('Over: spring: a list has come')
    await brake.reject(second.run.id, { by: 'ada', why: '' })
    for (const at of ['2026-10-20T08:00:00Z', '2026-10-20T08:01:00Z']) await world.at(at)
    expect(titles(world)[2]).toBe('at 06:00 on Tue 20 Oct (Europe/Berlin) is missing (for 4h 1m)')
  })

  test('nor counted within a time if it was refused', async () => {
    await using world = await openNoticeWorld({
      notify,
      pipeline: { expect: { within: '2d' } },
      now: '2026-10-18T20:00:00Z',
    })
    await world.round()
    const { runs } = world.ledger.ledger
    const { run } = await runs.receive({ ...source, sourcePath: '/in/1' })
    await runs.refuse(run.id, 'It has no column e_mail.')
    await cameAt(world, 'run', '2026-10-19T03:50:00Z')
    for (const at of ['2026-10-20T20:00:00Z', '2026-10-20T20:01:00Z']) await world.at(at)
    expect(world.subjects()).toEqual([
      'credsync (development): spring: no list has been accepted for more than 2d (for 1m)',
    ])
  })
})

test('completions that no longer come', async () => {
  await using world = await openNoticeWorld({
    notify,
    pipeline: { expect: { within: '2d' }, source: { system: 'campus', course: 'FIRE-1' } },
    now: '2026-10-01T08:00:00Z',
  })
  const { ledger } = world.ledger
  const source = { system: 'campus', pipeline: 'spring', renewAfterMs: null }
  const completes = async (learner: string, at: string) => {
    const completion = { learner, course: 'FIRE-1', completedAt: new Date(at), cells: {} }
    await ledger.completions.ingest(source, [completion], 'event')
    await world.ledger.database.query('UPDATE completion SET found_at = $2 WHERE learner = $1', [learner, at])
  }
  await world.at('2026-10-01T08:00:00Z')
  await completes('7', '2026-10-02T08:00:00Z')
  for (const at of ['2026-10-03T08:00:00Z', '2026-10-04T07:59:00Z']) await world.at(at)
  expect(world.subjects()).toEqual([])
  for (const at of ['2026-10-04T08:00:00Z', '2026-10-04T08:01:00Z']) await world.at(at)
  await completes('8', '2026-10-04T09:00:00Z')
  for (const at of ['2026-10-04T09:10:00Z', '2026-10-04T09:20:00Z']) await world.at(at)
  expect(world.subjects().map((subject) => subject.replace('credsync (development): spring: ', ''))).toEqual([
    'no completion has come for more than 2d (for 1m)',
    expect.stringMatching(/Over: spring: a completion has come again/),
  ])
})

test('nobody reads that a list has come whose setting has changed', async () => {
  await using world = await openNoticeWorld({ notify, pipeline: { expect: mornings }, now: '2026-10-18T20:00:00Z' })
  await world.round()
  for (const at of ['2026-10-19T04:00:00Z', '2026-10-19T04:01:00Z']) await world.at(at)
  expect(world.subjects()).toEqual([expect.stringContaining('is missing')])
  world.configure({ spring: { expect: { within: '2d' } } })
  for (const at of ['2026-10-19T05:00:00Z', '2026-10-19T05:01:00Z', '2026-10-19T06:00:00Z']) await world.at(at)
  expect(world.subjects().slice(1)).toEqual([
    'credsync (development): No longer watched: spring: the list that was due at 06:00 on Mon 19 Oct (Europe/Berlin) is missing (after 1h)',
  ])
  expect(await world.ledger.ledger.notices.open()).toEqual([])
})

test('nobody reads of a deadline that passed while no list was expected', async () => {
  await using world = await openNoticeWorld({ notify, pipeline: { expect: mornings }, now: '2026-10-18T20:00:00Z' })
  await world.round()
  world.configure({ spring: {} })
  for (const at of ['2026-10-18T21:00:00Z', '2026-10-20T08:00:00Z']) await world.at(at)
  world.configure({ spring: { expect: mornings } })
  for (const at of ['2026-10-20T09:00:00Z', '2026-10-20T09:01:00Z']) await world.at(at)
  expect(world.subjects()).toEqual([])
  for (const at of ['2026-10-21T04:00:00Z', '2026-10-21T04:01:00Z']) await world.at(at)
  expect(world.subjects()).toEqual([expect.stringContaining('due at 06:00 on Wed 21 Oct')])
})

test('the longest time that can be set silences no other notice', async () => {
  await using world = await openNoticeWorld({ pipeline: { expect: { within: '3650d' } } })
  const { runs } = world.ledger.ledger
  const source = { sourceName: 'march.csv', sourcePath: '/in/march.csv', sourceSha256: 'march' }
  const { run } = await runs.receive({ pipeline: 'spring', ...source })
  await runs.refuse(run.id, 'It has no column e_mail.')
  await world.pass(0)
  expect(world.subjects()).toEqual(['credsync (development): spring: march.csv was refused'])
})
