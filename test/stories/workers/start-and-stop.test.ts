// What a worker logs about itself, from its start to its end.

import { expect, test } from 'vitest'
import { startWorker } from '#jobs/worker.ts'
import { openMetrics } from '#src/web/open-metrics.ts'
import { serveWeb } from '#src/web/serve-web.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { openRecordedLog } from '#test/support/recorded-log.ts'
import { openWorld } from '#test/support/world.ts'

describeWithDatabase('a worker', () => {
  test('logs that it runs, where its pages are, and that it stopped with nothing unfinished', async () => {
    const log = openRecordedLog()
    await using world = await openWorld({ appOptions: { log } })
    const { app } = world
    const worker = await startWorker(app)
    const metrics = openMetrics({ version: '1', environment: 'development', storage: 'postgresql' }, ['spring'])
    const web = await serveWeb(app, metrics, { host: '127.0.0.1', port: 0 })
    await web[Symbol.asyncDispose]()
    await worker?.stop()
    const { instance } = app
    expect(log.lines.filter(([name]) => /^(worker|web)\./.test(name))).toEqual([
      ['worker.started', { instance, storage: 'PostgreSQL', environment: 'development' }],
      ['web.listening', { port: Number(new URL(web.url).port) }],
      ['worker.stopping', { instance }],
      ['worker.stopped', { instance, count: 0 }],
    ])
  })
})
