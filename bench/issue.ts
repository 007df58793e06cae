// How fast a list goes through, and what memory it takes: intake, sending and following against the sandbox in a process of its own.
// Ratios against a floor measured in the same run: the same calls, as many at a time, without ledger, checks or limits' margin.
// Run by hand: node bench/issue.ts [rows] [batch]

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { parseFileSettings } from '#config/settings.ts'
import { startWorker } from '#jobs/worker.ts'
import { openApp } from '#src/app.ts'
import { countIn, finalStates } from '#src/issuance/state.ts'
import { silentLog } from '#src/log/log.ts'
import { Secret } from '#src/secret/secret.ts'
import { hashFile } from '#src/sources/hash-file.ts'
import { systemClock as clock } from '#src/time/clock.ts'

const rows = Number(process.argv[2] ?? 20_000)
const size = Number(process.argv[3] ?? 100)
const folder = await mkdtemp(join(tmpdir(), 'credsync-bench-'))

const service = await startSandbox()
const [course, template, badgeTemplate] = [service.course, service.template, service.badgeTemplate]
const file = join(folder, 'people.csv')
await writePeople(file)
const app = await openApp(
  {
    configPath: 'bench',
    baseUrl: service.url,
    key: new Secret('sandbox-key'),
    secret: new Secret('sandbox-secret'),
    databaseUrl: null,
    redisUrl: null,
    dataDir: folder,
    file: parseFileSettings({
      service: { environment: 'development' },
      pipelines: {
        bench: { course, template, badgeTemplate, columns: { 'Primary Value': { value: 'Email' } }, batch: { size } },
      },
      reconcile: { every: '1s', slowest: '5s' },
    }),
  },
  { clock, log: silentLog, random: Math.random },
)
let peakRss = 0
let peakHeap = 0
const watch = setInterval(() => {
  peakRss = Math.max(peakRss, process.memoryUsage.rss())
  peakHeap = Math.max(peakHeap, process.memoryUsage().heapUsed)
}, 100)
const atStart = process.memoryUsage.rss()

const worker = await startWorker(app)
const begun = clock.monotonicMs()
const source = { pipeline: 'bench', sourceName: 'people.csv', sourcePath: file, sourceSha256: await hashFile(file) }
const { run } = await app.ledger.receiveRun(source)
const published = await until(async (now) => now.run.state === 'published')
const sent = await until(async (now) => now.states.pending + now.states.sending === 0)
const final = await until(async (now) => countIn(now.states, finalStates) === rows)
const counts = app.issuer.counts()
await worker?.stop()
clearInterval(watch)
await app[Symbol.asyncDispose]()

const throttled = await service.stop()
const bare = await startSandbox()
const floorMs = await bareCalls(bare.url, Math.ceil(rows / size))
await bare.stop()
await rm(folder, { recursive: true, force: true })

const s = (ms: number) => `${(ms / 1_000).toFixed(1)} s`
const mb = (bytes: number) => `${Math.round(bytes / 1_048_576)} MB`
console.log(`${rows} rows, batches of ${size}`)
console.log(`read and published  ${s(published)}  (${Math.round(rows / (published / 1_000))} rows/s)`)
console.log(
  `sent                ${s(sent - published)}  (${Math.round(rows / ((sent - published) / 1_000))} rows/s; ${((sent - published) / floorMs).toFixed(1)} times the floor of ${s(floorMs)})`,
)
console.log(`final               ${s(final)} after the start`)
console.log(`calls               ${JSON.stringify(counts)}; 429 answered ${throttled} times`)
console.log(`report calls per 1,000 people  ${((counts.report / rows) * 1_000).toFixed(1)}`)
console.log(`memory              ${mb(atStart)} at the start, peak ${mb(peakRss)} resident, ${mb(peakHeap)} heap`)
process.exit(0)

async function until(
  reached: (now: NonNullable<Awaited<ReturnType<typeof app.ledger.runWithStates>>>) => Promise<boolean>,
): Promise<number> {
  for (;;) {
    const now = await app.ledger.runWithStates(run.id)
    if (now?.run.state === 'refused') throw new Error(now.run.refusal ?? 'refused')
    if (now && (await reached(now))) return clock.monotonicMs() - begun
    await clock.sleep(100)
  }
}

async function startSandbox() {
  const child = spawn(process.execPath, [resolve(import.meta.dirname, '../jobs/main.ts'), 'sandbox'], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const lines: string[] = []
  createInterface({ input: child.stderr }).on('line', (line) => lines.push(line.trim()))
  const [first] = await once(createInterface({ input: child.stdout }), 'line')
  while (!lines.some((line) => line.startsWith('badgeTemplate:'))) await clock.sleep(20)
  const value = (name: string) => (lines.find((line) => line.startsWith(`${name}:`)) ?? '').split(' ')[1] ?? ''
  return {
    url: String(first).split('=')[1] ?? '',
    course: value('course'),
    template: value('template'),
    badgeTemplate: value('badgeTemplate'),
    async stop(): Promise<number> {
      child.kill('SIGTERM')
      await once(child, 'close')
      return Number(/429 (\d+) times/.exec(lines.join(' '))?.[1] ?? Number.NaN)
    },
  }
}

async function writePeople(path: string): Promise<void> {
  const out = createWriteStream(path)
  out.write('Email,First Name,Last Name,Birth Date,Contact Number\n')
  for (let row = 0; row < rows; row++)
    if (
      !out.write(
        `p${row}@example.org,Jürgen${row},"Müller, ${row}",1990-01-${String(1 + (row % 28)).padStart(2, '0')},0170${String(row).padStart(7, '0')}\n`,
      )
    )
      await once(out, 'drain')
  out.end()
  await once(out, 'finish')
}

/** The floor: as many calls of that size, four at a time, at the pace that the limit allows and no slower. */
async function bareCalls(url: string, calls: number): Promise<number> {
  const answer = await fetch(`${url}/api/public/identity/v1/entityaccess/token`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ key: 'sandbox-key', secret: 'sandbox-secret' }),
  })
  const { payload } = (await answer.json()) as { payload: { accessToken: string } }
  const student = Array.from({ length: size }, (_, n) => ({
    Email: `floor${n}@example.org`,
    'First Name': 'A',
    'Last Name': 'B',
    'Primary Value': 'Email',
  }))
  const body = JSON.stringify({
    course_uuid: course,
    template_uuid: template,
    badge_template_uuid: badgeTemplate,
    student,
  })
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${payload.accessToken}` }
  let next = 0
  const started = clock.monotonicMs()
  await Promise.all(
    Array.from({ length: 4 }, async () => {
      while (next < calls) {
        const at = (next++ / 60) * 1_000
        await clock.sleep(Math.max(0, at - (clock.monotonicMs() - started)))
        const response = await fetch(`${url}/api/certification/v1/quickIssuance/recipients/data/upload`, {
          method: 'POST',
          headers,
          body,
        })
        await response.arrayBuffer()
      }
    }),
  )
  return clock.monotonicMs() - started
}
