// Measures how fast and in how much memory files are read, compared with the bare parsers in the same run. Each reader
// is a separate process, and CPU time is counted, because the machine is shared.
// Run by hand: node bench/read-files.ts [rows] [with-exceljs]

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createReadStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createInflateRaw } from 'node:zlib'
import { parse } from 'csv-parse'
import { SaxesParser } from 'saxes'
import type { Source } from '#src/files/tables/source.ts'
import { readInPlace } from '#test/support/read-source.ts'
import { filesIn, makeCsv, makeWorkbook, type Part } from './generated-files.ts'
import { newFolder } from './parts/new-folder.ts'

interface Measurement {
  rows: number
  seconds: number
  cpuSeconds: number
  peakMegabytes: number
}

async function countRows(source: Source): Promise<number> {
  let rows = 0
  for await (const batch of source.batches()) rows += batch.length
  await source[Symbol.asyncDispose]()
  return rows
}

const readers: Record<string, (path: string, parts: Part[]) => Promise<number>> = {
  async 'csv-parse alone'(path) {
    let rows = -1
    const parser = parse({ record_delimiter: ['\r\n', '\n', '\r'] })
    const read = pipeline(createReadStream(path), parser, async (records: AsyncIterable<string[]>) => {
      for await (const _ of records) rows++
    })
    await read
    return rows
  },
  'CSV, in place': async (path) => countRows(await readInPlace(path)),
  'CSV, in its thread': async (path) =>
    countRows(await (await import('#src/files/tables/open-source.ts')).openSource(path)),
  async 'inflate and saxes alone'(path, parts) {
    let rows = -1
    for (const { start, end } of parts) {
      const parser = new SaxesParser({ position: false })
      parser.on('opentag', ({ name }) => {
        if (name === 'row') rows++
      })
      parser.on('text', () => {})
      const text = new TextDecoder()
      await pipeline(createReadStream(path, { start, end: end - 1 }), createInflateRaw(), async (chunks) => {
        for await (const chunk of chunks as AsyncIterable<Buffer>) parser.write(text.decode(chunk, { stream: true }))
      })
    }
    return rows
  },
  'XLSX, in place': async (path) => countRows(await readInPlace(path)),
  'XLSX, in its thread': async (path) =>
    countRows(await (await import('#src/files/tables/open-source.ts')).openSource(path)),
  async 'exceljs, stream'(path) {
    const { default: exceljs } = await import('exceljs')
    let rows = -1
    const read = { worksheets: 'emit', sharedStrings: 'cache', styles: 'cache' } as const
    for await (const sheet of new exceljs.stream.xlsx.WorkbookReader(path, read)) {
      // This reader converts cells to values only when they are accessed.
      for await (const row of sheet) rows += Array.isArray(row.values) ? 1 : 0
    }
    return rows
  },
}

async function measureInProcess(name: string, path: string, parts: Part[]): Promise<Measurement> {
  const before = process.cpuUsage()
  const startedAt = performance.now()
  const rows = await (readers[name] as (typeof readers)[string])(path, parts)
  const { user, system } = process.cpuUsage(before)
  const { maxRSS } = process.resourceUsage()
  const seconds = (performance.now() - startedAt) / 1_000
  return { rows, seconds, cpuSeconds: (user + system) / 1e6, peakMegabytes: maxRSS / 1_024 }
}

async function measureInChild(name: string, path: string, parts: Part[]): Promise<Measurement> {
  const child = spawn(process.execPath, [import.meta.filename, '--reader', name, path, JSON.stringify(parts)], {
    stdio: ['ignore', 'pipe', 'inherit'],
    // The same cache for compiled code as that of the program.
    env: { ...process.env, NODE_COMPILE_CACHE: join(import.meta.dirname, '../node_modules/.cache/credsync') },
  })
  let output = ''
  child.stdout.on('data', (chunk) => {
    output += chunk
  })
  await once(child, 'close')
  return JSON.parse(output)
}

// Other load can only make a reader slower, so the readers alternate, and the best run of each counts.
const rounds = 3
/** Readers that are only for comparison and take minutes, so they run once. */
const slowReaders = ['inflate and saxes alone', 'exceljs, stream']

async function main(rows: number, withExceljs: boolean) {
  const folder = await newFolder('read-files')
  try {
    const files = filesIn(folder)
    await makeCsv(files.csv, rows)
    const parts = await makeWorkbook(files.xlsx, rows)
    const best = new Map<string, Measurement>()
    const smallFiles = filesIn(await mkdtemp(join(folder, 'few-')))
    await makeCsv(smallFiles.csv, 10)
    const smallParts = await makeWorkbook(smallFiles.xlsx, 10)
    const names = Object.keys(readers).filter((name) => withExceljs || !name.startsWith('exceljs'))
    // A warm-up, because compiling code for the first time takes time and 40 MB.
    for (const name of names)
      await measureInChild(name, /csv/i.test(name) ? smallFiles.csv : smallFiles.xlsx, smallParts)
    for (let turn = 0; turn < rounds; turn++) {
      for (const name of names) {
        if (turn > 0 && slowReaders.includes(name)) continue
        const measured = await measureInChild(name, /csv/i.test(name) ? files.csv : files.xlsx, parts)
        if (measured.rows !== rows) throw new Error(`${name} read ${measured.rows} of ${rows} rows.`)
        best.set(name, combine(best.get(name), measured))
      }
    }
    print(best)
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** Returns the shorter time and the larger memory of two runs. */
function combine(before: Measurement | undefined, now: Measurement): Measurement {
  if (!before) return now
  return {
    rows: now.rows,
    seconds: Math.min(before.seconds, now.seconds),
    cpuSeconds: Math.min(before.cpuSeconds, now.cpuSeconds),
    peakMegabytes: Math.max(before.peakMegabytes, now.peakMegabytes),
  }
}

function print(best: Map<string, Measurement>): void {
  const pace = ({ rows, cpuSeconds }: Measurement) => rows / cpuSeconds
  const bare = pace(best.get('csv-parse alone') as Measurement)
  console.log(
    '| reader | rows per CPU second | share of csv-parse alone | seconds | peak memory |\n|---|---|---|---|---|',
  )
  for (const [name, measured] of best) {
    const ratio = (pace(measured) / bare).toFixed(2)
    const numbers = [Math.round(pace(measured)).toLocaleString('en'), ratio, measured.seconds.toFixed(1)]
    console.log(`| ${[name, ...numbers, `${Math.round(measured.peakMegabytes)} MB`].join(' | ')} |`)
  }
}

const [first, name = '', path = '', parts = '[]'] = process.argv.slice(2)
if (first === '--reader') console.log(JSON.stringify(await measureInProcess(name, path, JSON.parse(parts))))
else await main(Number(first ?? 1_000_000), process.argv.includes('with-exceljs'))
