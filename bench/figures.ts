// Measures how long the database takes to compute the ledger's metrics, without and with many settled rows, compared
// with a plain count by state.
// Run by hand: node bench/figures.ts [settled rows] [open rows]

import { randomBytes } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { readWholeMetrics } from '#src/app/whole-metrics.ts'
import { migrate } from '#src/ledger/migrate.ts'
import { openDatabase } from '#src/platform/database/database.ts'
import { openEmbeddedPostgres } from '#src/platform/database/embedded-postgres.ts'
import { systemClock } from '#src/platform/time/clock.ts'
import { fillLedger } from './parts/fill-ledger.ts'
import { newFolder } from './parts/new-folder.ts'

const settled = Number(process.argv[2] ?? 1_000_000)
const open = Number(process.argv[3] ?? 10_000)

const dataDir = await newFolder('figures')
const postgres = await openEmbeddedPostgres({ dataDir, clock: systemClock })
const database = openDatabase(postgres.url)
try {
  await migrate(database, randomBytes(32))
  await fillLedger(database, { rows: open, kind: 'open' })
  const few = await measure('no settled rows')
  await fillLedger(database, { rows: settled, kind: 'settled' })
  const many = await measure(`${settled.toLocaleString('en')} settled rows`)
  console.log(`figures: ${(many.figures / few.figures).toFixed(1)} times as long as with none settled`)
  console.log(`figures: ${(many.figures / many.plain).toFixed(3)} of the plain count by state`)
} finally {
  await database.close()
  await postgres.release()
  await rm(dataDir, { recursive: true, force: true })
}

async function measure(name: string): Promise<{ figures: number; plain: number }> {
  const figures = await medianOf(() => readWholeMetrics(database, 'development'))
  const plain = await medianOf(() =>
    database.query(`SELECT pipeline, state, count(*) FROM issuance WHERE environment = 'development' GROUP BY 1, 2`),
  )
  console.log(`${name}: figures ${figures.toFixed(1)} ms, plain count by state ${plain.toFixed(1)} ms`)
  return { figures, plain }
}

/** Returns the median time of eleven runs after a warm-up. */
async function medianOf(work: () => Promise<unknown>): Promise<number> {
  const times: number[] = []
  for (let turn = 0; turn < 12; turn++) {
    const startedAt = systemClock.monotonicMs()
    await work()
    if (turn > 0) times.push(systemClock.monotonicMs() - startedAt)
  }
  return times.sort((a, b) => a - b)[5] ?? Number.NaN
}
