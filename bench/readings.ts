// Reads small files concurrently, each in its own thread, on a busy machine. Shows that the process does not crash, and
// what a reading costs compared with an idle thread. Workbooks and CSV files alternate, and every tenth reading is
// canceled, which ends its thread at an arbitrary point.
// Run by hand: node bench/readings.ts [readings] [concurrent] [busy loops]

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { Worker } from 'node:worker_threads'
import { openSource } from '#src/files/tables/open-source.ts'
import { filesIn, makeCsv, makeWorkbook } from './generated-files.ts'
import { newFolder } from './parts/new-folder.ts'
import { printTable, whole } from './parts/table.ts'

const rows = 20
/** The number of readings per round. Each round measures a reading and an idle thread under the same load. */
const readingsPerRound = 250

async function readOne(path: string, cancel: boolean): Promise<void> {
  await using source = await openSource(path, { limits: { stallMs: 900_000 } })
  const batches = source.batches()
  if (cancel) {
    const next = batches[Symbol.asyncIterator]().next()
    // A request that is pending when the thread ends is rejected, which must not be reported as unhandled.
    next.catch(() => {})
    return
  }
  let read = 0
  for await (const batch of batches) read += batch.length
  if (read !== rows) throw new Error(`${read} of ${rows} rows of ${path}.`)
}

async function idleThread(): Promise<void> {
  await once(new Worker('', { eval: true, execArgv: [], env: {} }), 'exit')
}

/** Runs the work `count` times, `lanes` at a time. Returns the CPU milliseconds per run. */
async function cpuMsPerRun(work: (index: number) => Promise<void>, count: number, lanes: number): Promise<number> {
  const before = process.cpuUsage()
  let next = 0
  const lane = async () => {
    while (next < count) await work(next++)
  }
  await Promise.all(Array.from({ length: lanes }, lane))
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1_000 / count
}

async function readInThisThread(folder: string, readings: number, lanes: number): Promise<void> {
  const { csv, xlsx } = filesIn(folder)
  const read = (index: number) => readOne(index % 2 === 0 ? csv : xlsx, index % 10 === 9)
  await cpuMsPerRun(read, 2, 1)
  for (let done = 0; done < readings; done += readingsPerRound) {
    const reading = await cpuMsPerRun(read, Math.min(readingsPerRound, readings - done), lanes)
    const floor = await cpuMsPerRun(idleThread, readingsPerRound / 10, lanes)
    console.log(JSON.stringify({ done: Math.min(done + readingsPerRound, readings), reading, floor }))
  }
}

async function main(readings: number, lanes: number, loops: number): Promise<void> {
  const folder = await newFolder('readings')
  const busyProcesses = Array.from({ length: loops }, () => spawn(process.execPath, ['-e', 'for (;;);']))
  try {
    const files = filesIn(folder)
    await makeCsv(files.csv, rows)
    await makeWorkbook(files.xlsx, rows)
    const args = ['--here', folder, String(readings), String(lanes)]
    const child = spawn(process.execPath, [import.meta.filename, ...args], { stdio: ['ignore', 'pipe', 'inherit'] })
    const rounds: { done: number; reading: number; floor: number }[] = []
    let output = ''
    child.stdout.on('data', (chunk) => {
      output += chunk
      const lines = output.split('\n')
      output = lines.pop() ?? ''
      rounds.push(...lines.map((line) => JSON.parse(line)))
      const last = rounds.at(-1)
      if (last) process.stderr.write(`${last.done} of ${readings}, ${(last.reading / last.floor).toFixed(2)} ×\n`)
    })
    const [code, signal] = await once(child, 'close')
    const median = (values: number[]) => values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN
    printTable([
      ['readings', 'crashes', 'CPU ms/reading', 'CPU ms/idle thread', 'ratio'],
      [
        whole(rounds.at(-1)?.done ?? 0),
        code === 0 ? '0' : `1 (${signal ?? `exit code ${code}`})`,
        median(rounds.map(({ reading }) => reading)).toFixed(1),
        median(rounds.map(({ floor }) => floor)).toFixed(1),
        median(rounds.map(({ reading, floor }) => reading / floor)).toFixed(2),
      ],
    ])
    if (code !== 0) process.exitCode = 1
  } finally {
    for (const busyProcess of busyProcesses) busyProcess.kill()
    await rm(folder, { recursive: true })
  }
}

const [first, folder = '', readings = '', lanes = ''] = process.argv.slice(2)
if (first === '--here') await readInThisThread(folder, Number(readings), Number(lanes))
else {
  const [count = 5_000, atOnce = 8, loops = 2] = process.argv.slice(2).map(Number)
  await main(count, atOnce, loops)
}
