// Measures how long it takes to forget half of the people of a list while the list is being issued, and whether anybody
// is issued twice: neither then, nor when the next night's list names all of them again.
// Run by hand: node bench/erasure.ts [people=20000] [batch=25]

import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { startWorker } from '#jobs/worker.ts'
import { countIn, finalStates } from '#src/domain/credential/state.ts'
import { fieldsOfPipelines, whoOf } from '#src/extensions/privacy/commands/read-who.ts'
import { systemClock as clock } from '#src/platform/time/clock.ts'
import { numbersOf } from './parts/arguments.ts'
import { handOver, openBenchApp, untilRun } from './parts/bench-app.ts'
import { newFolder } from './parts/new-folder.ts'
import { cellsOf, writeList } from './parts/people.ts'
import { startSandbox } from './parts/sandbox.ts'
import { printTable, whole } from './parts/table.ts'

const [people = 20_000] = numbersOf('people', [20_000])
const [batch = 25] = numbersOf('batch', [25])

const folder = await newFolder('erasure')
const sandbox = await startSandbox()
const app = await openBenchApp(sandbox, { folder, size: batch, reconcile: { every: '1s' } })
const { erasures } = app.ledger
const worker = await startWorker(app)
const lines: string[][] = []
const file = join(folder, 'people.csv')
writeList(file, people)

const run = await handOver(app, file)
await untilRun(app, run, ({ states }) => countIn(states, ['issued']) > people / 20)
// Rows are sent in the order of the list, so every second one is taken: some are issued, some under way, and some wait.
const texts = Array.from({ length: people / 2 }, (_, n) => cellsOf(2 * n)[0] ?? '')
const whos = await Promise.all(texts.map((text) => whoOf(app.ledger, text)))
const found = await measured('found', () => erasures.find(whos, fieldsOfPipelines(app)))
const ids = found.flatMap((person) => person.ids)
const before = await app.ledger.runs.withStates(run)
const open = people - (before ? countIn(before.states, finalStates) : 0)
await measured(`requested, with ${whole(open)} rows still open`, async () => {
  const asked = { by: 'bench', reason: 'a benchmark', revokes: false, releases: false }
  await erasures.request(whos, asked, fieldsOfPipelines(app))
})
await measured('carried out from then on, in the ledger and in files', async () => {
  while ((await erasures.open()).length > 0) await clock.sleep(100)
})
await measured('the others issued after that', () =>
  // Until its results are written, the same file counts as a copy of the list that is not finished.
  untilRun(
    app,
    run,
    ({ run: { resultsPath }, states }) => countIn(states, finalStates) === people && resultsPath !== null,
  ),
)
const { recipientsAccepted, mostForOne } = await sandbox.counts()
const first = await app.ledger.runs.withStates(run)
const again = await measured('the same list once more', async () => {
  const next = await handOver(app, file)
  await untilRun(app, next, ({ run: { settledAt } }) => settledAt !== null)
  return next
})
const next = await app.ledger.runs.withStates(again)
const afterwards = await sandbox.counts()
await worker?.stop()
const { rows } = await app.database.query<{ emptied: number; left: number }>(
  `SELECT count(*) FILTER (WHERE recipient IS NULL) AS emptied, (SELECT count(*) FROM run_row WHERE cells ? 'p0@example.org') AS left FROM issuance`,
)
await app[Symbol.asyncDispose]()
sandbox.stop()
await rm(folder, { recursive: true, force: true })

console.log(`${whole(texts.length)} of ${whole(people)} people forgotten while they are issued in batches of ${batch}`)
printTable([['step', 's'], ...lines])
printTable([
  ['people', ''],
  ['found', whole(ids.length)],
  ['withdrawn before they were sent', whole(first ? countIn(first.states, ['failed']) : 0)],
  ['emptied', whole(rows[0]?.emptied ?? 0)],
  ['rows left of the first of them', whole(rows[0]?.left ?? 0)],
  ['requests at the service', whole(recipientsAccepted)],
  ['requests after the second list', whole(afterwards.recipientsAccepted)],
  ['most requests for one person', whole(Math.max(mostForOne, afterwards.mostForOne))],
  ['skipped in the second list', whole(next?.run.skipped ?? 0)],
])
process.exit(0)

async function measured<Result>(step: string, work: () => Promise<Result>): Promise<Result> {
  const startedAt = clock.monotonicMs()
  const result = await work()
  lines.push([step, ((clock.monotonicMs() - startedAt) / 1_000).toFixed(1)])
  return result
}
