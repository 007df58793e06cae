// A queue that adds jobs on a schedule: it may miss some, but must not add more than scheduled.

import { expect, test } from 'vitest'
import { done } from '#src/platform/queue/verdict.ts'
import { describeBothStores } from './both-stores.ts'
import { openRawStore, openTestQueues, recordArrivals } from './open-test-queues.ts'

const every = (pipeline: string, ms: number) => ({ id: `inbox-${pipeline}`, payload: { pipeline }, at: { every: ms } })

describeBothStores('the timetable of a queue', (freshBackend) => {
  test('keeps adding jobs with its payload', async () => {
    const queues = await openTestQueues(await freshBackend())
    const seen = recordArrivals<string>()
    await queues.work('collect', async ({ pipeline }) => {
      seen.add(pipeline)
      return done()
    })
    expect(await queues.schedule('collect', [every('spring', 200)])).toBe(true)
    expect([await seen.next(), await seen.next(), await seen.next()]).toEqual(['spring', 'spring', 'spring'])
    expect(queues.faults).toEqual([])
  })

  test('contains only the latest schedules', async () => {
    const backend = await freshBackend()
    const queues = await openTestQueues(backend)
    const nightly = {
      id: 'inbox-autumn',
      payload: { pipeline: 'autumn' },
      at: { pattern: '0 2 * * *', tz: 'Asia/Kolkata' },
    }
    await queues.schedule('collect', [every('spring', 60_000), every('autumn', 60_000)])
    await queues.schedule('collect', [nightly])
    await queues.schedule('collect', [nightly])
    const store = await openRawStore(backend)
    const queue = store.openQueue('collect', {})
    // The database is dropped while its connections close.
    queue.on('error', () => {})
    const [only, ...others] = await queue.getJobSchedulers()
    expect(others).toEqual([])
    expect(only).toMatchObject({ key: 'inbox-autumn', pattern: '0 2 * * *', tz: 'Asia/Kolkata' })
    expect(new Date(only?.next ?? 0).toISOString().slice(11)).toBe('20:30:00.000Z')
    expect(await queue.getJobCountByTypes('delayed')).toBe(1)
    await queue.close()
  })
})
