// A file that was handed over to a worker, and the worker ends.

import { expect, test } from 'vitest'
import { describeWithDatabase } from '#test/support/database.ts'
import { issue, openPlace, people } from './place.ts'

describeWithDatabase('credsync issue, following a worker that ends', () => {
  test('goes on by itself and issues everybody once', async () => {
    const place = await openPlace({ sandbox: { reportLagMs: 8_000 } })
    const worker = place.start(['start', '--config', 'credsync.yaml'])
    await worker.said('Ctrl-C stops it.')
    const following = place.start(issue(await place.write('list.csv', people(3)), '--wait', '--json'))
    await following.said('handed over')
    worker.signal('SIGTERM')
    expect((await worker.ended).code).toBe(0)
    const ended = await following.ended
    expect(ended.stderr).toContain('going on here')
    expect(JSON.parse(ended.stdout)).toMatchObject({ accepted: 3, states: { issued: 3 } })
    expect(ended.code).toBe(0)
    expect(place.sandbox.requests()).toHaveLength(3)
  })
})
