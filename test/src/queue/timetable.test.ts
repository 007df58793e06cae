// A queue that asks by itself: it may forget, and must not do more than it was told.

import { expect, test } from 'vitest'
import { done } from '#src/queue/verdict.ts'
import { conformBothStores } from './both-stores.ts'
import { arrivals, opened, rawStore } from './opened.ts'

const every = (pipeline: string, ms: number) => ({ id: `inbox-${pipeline}`, payload: { pipeline }, at: { every: ms } })

conformBothStores('the timetable of a queue', (freshBackend) => {
  test('asks again and again, with its payload', async () => {
    const queues = await opened(await freshBackend())
    const seen = arrivals<string>()
    await queues.work('collect', async ({ pipeline }) => {
      seen.add(pipeline)
      return done()
    })
    expect(await queues.schedule('collect', [every('spring', 200)])).toBe(true)
    expect([await seen.next(), await seen.next(), await seen.next()]).toEqual(['spring', 'spring', 'spring'])
    expect(queues.faults).toEqual([])
  })

  test('holds what it was told last, and nothing from before', async () => {
    const backend = await freshBackend()
    const queues = await opened(backend)
    const nightly = {
      id: 'inbox-autumn',
      payload: { pipeline: 'autumn' },
      at: { pattern: '0 2 * * *', tz: 'Asia/Kolkata' },
    }
    await queues.schedule('collect', [every('spring', 60_000), every('autumn', 60_000)])
    await queues.schedule('collect', [nightly])
    await queues.schedule('collect', [nightly])
    const store = await rawStore(backend)
    const queue = store.openQueue('collect', {})
    // The database is dropped while its connections end.
    queue.on('error', () => {})
    const [only, ...others] = await queue.getJobSchedulers()
    expect(others).toEqual([])
    expect(only).toMatchObject({ key: 'inbox-autumn', pattern: '0 2 * * *', tz: 'Asia/Kolkata' })
    expect(new Date(only?.next ?? 0).toISOString().slice(11)).toBe('20:30:00.000Z')
    expect(await queue.getJobCountByTypes('delayed')).toBe(1)
    await queue.close()
  })

  test('refuses a payload that is no id, and says when the queue is gone', async () => {
    const queues = await opened(await freshBackend())
    await expect(queues.schedule('collect', [every('a name', 1_000)])).rejects.toThrow('is wrong at: pipeline')
    await queues.stop(0)
    expect(await queues.schedule('collect', [every('spring', 1_000)])).toBe(false)
  })
})
