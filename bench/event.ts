// Measures the time from an event to its invitation: from posting a signed event to an idle worker until the service
// receives the invitation. For comparison, posts the same body to a server that stores nothing.
// Run by hand: node bench/event.ts [events]

import { createHmac } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { startWorker } from '#jobs/worker.ts'
import { workNames } from '#src/cli/job-actions.ts'
import { systemClock as clock } from '#src/platform/time/clock.ts'
import { openMetrics } from '#src/web/open-metrics.ts'
import { serveWeb } from '#src/web/serve-web.ts'
import { openBenchApp } from './parts/bench-app.ts'
import { newFolder } from './parts/new-folder.ts'
import { startSandbox } from './parts/sandbox.ts'
import { printTable } from './parts/table.ts'

const events = Number(process.argv[2] ?? 200)
const key = 'a key of the bench and of no one else'

const folder = await newFolder('event')
const sandbox = await startSandbox({ settings: { pace: { queueMs: 500, progressMs: 500 }, reportLagMs: 0 } })
const app = await openBenchApp(sandbox, {
  folder,
  size: 1,
  systems: {
    shop: {
      type: 'webhook',
      auth: { type: 'hmac', header: 'x-signature', encoding: 'hex', secret: key },
      map: {
        learner: { email: '/email' },
        course: '/course',
        fields: { 'First Name': '/first', 'Last Name': '/last' },
      },
    },
  },
  pipeline: {
    source: { system: 'shop', course: 'C-1' },
    columns: { Email: 'email', 'Primary Value': { value: 'Email' } },
  },
})
const metrics = openMetrics({ version: '1', environment: 'development', storage: 'postgresql' }, [])
const web = await serveWeb(app, metrics, { host: '127.0.0.1', port: 0 })
const worker = await startWorker(app, workNames, { inboxes: true })
const bare = createServer((request, response) => request.resume().on('end', () => response.end('{}')))
await new Promise<void>((ready) => bare.listen(0, '127.0.0.1', ready))
const bareUrl = `http://127.0.0.1:${(bare.address() as AddressInfo).port}/`

const timesMs = { bare: [] as number[], answered: [] as number[], sent: [] as number[] }
for (let n = 0; n < events; n++) {
  const body = JSON.stringify({ email: `person.${n}@example.org`, course: 'C-1', first: `Ada${n}`, last: 'Lovelace' })
  timesMs.bare.push(await timed(bareUrl, body))
  const postedAtMs = clock.now().getTime()
  timesMs.answered.push(await timed(`${web.url}/events/shop`, body))
  for (;;) {
    const { committedMs } = await sandbox.counts()
    const at = committedMs[n]
    if (at !== undefined) {
      timesMs.sent.push(at - postedAtMs)
      break
    }
    await clock.sleep(20)
  }
  // Each event arrives at a random point of the idle worker's cycle.
  await clock.sleep(Math.random() * 700)
}
printTable([
  ['', 'p50', 'p99', 'max'],
  ['bare POST', ...percentiles(timesMs.bare)],
  ['event to answer', ...percentiles(timesMs.answered)],
  ['event to invitation', ...percentiles(timesMs.sent)],
])
await worker?.stop()
await web[Symbol.asyncDispose]()
await app[Symbol.asyncDispose]()
bare.close()
sandbox.stop()
await rm(folder, { recursive: true, force: true })
process.exit(0)

async function timed(url: string, body: string): Promise<number> {
  const signature = createHmac('sha256', key).update(body).digest('hex')
  const headers = { 'content-type': 'application/json', 'x-signature': signature }
  const startedAt = performance.now()
  const answer = await fetch(url, { method: 'POST', headers, body })
  await answer.text()
  if (!answer.ok) throw new Error(`The event was answered by ${answer.status}.`)
  return performance.now() - startedAt
}

function percentiles(values: readonly number[]): string[] {
  const sorted = values.toSorted((a, b) => a - b)
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
  return [0.5, 0.99, 1].map((share) => `${at(share).toFixed(1)} ms`)
}
