// Puts a list of 20 people into an inbox every 1.5 seconds, and measures what the worker uses: CPU per list, memory,
// threads and open files over time. Linux only.
// Run by hand: node bench/soak.ts [seconds] [folder for a CPU profile]

import { mkdir, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { systemClock as clock } from '#src/platform/time/clock.ts'
import { newFolder } from './parts/new-folder.ts'
import { dropList } from './parts/people.ts'
import { startSandbox } from './parts/sandbox.ts'
import { printTable, whole } from './parts/table.ts'
import { startWorkerProcess, writeConfiguration } from './parts/worker-process.ts'

const seconds = Number(process.argv[2] ?? 1_200)
const profileFolder = process.argv[3]
const people = 20
const everyMs = 1_500
const restMs = 30_000
/** How often the use is noted; a tenth of the time, so that the table has ten lines. */
const noteMs = (seconds * 1_000) / 10

const folder = await newFolder('soak')
const inbox = join(folder, 'inbox')
await mkdir(inbox)
const sandbox = await startSandbox()
await writeConfiguration(folder, sandbox, { bench: { source: { inbox, schedule: '1s', settle: '250ms' } } })
const worker = await startWorkerProcess(sandbox, {
  folder,
  node: profileFolder ? ['--cpu-prof', `--cpu-prof-dir=${resolve(profileFolder)}`] : [],
})

// The first list loads what the worker needs, so it counts as part of the start.
await dropNext(0)
await untilAccepted(1)
await clock.sleep(restMs)
const resting = worker.use()
await clock.sleep(restMs)
const restCpuMs = worker.use().cpuMs - resting.cpuMs
console.log(`at rest: ${(restCpuMs / (restMs / 1_000)).toFixed(1)} ms of CPU per second, ${resting.megabytes} MB`)

const rows = [['after', 'lists', 'CPU ms/list', 'without rest', 'memory', 'threads', 'open files']]
const begunMs = clock.monotonicMs()
let dropped = 1
let noted = { use: worker.use(), dropped, ms: begunMs }
while (clock.monotonicMs() - begunMs < seconds * 1_000) {
  await dropNext(dropped++)
  if (clock.monotonicMs() - noted.ms >= noteMs) noted = note(noted)
  await clock.sleep(Math.max(0, begunMs + (dropped - 1) * everyMs - clock.monotonicMs()))
}
await untilAccepted(dropped)
printTable(rows)
await worker.stop()
sandbox.stop()
await rm(folder, { recursive: true, force: true })

function dropNext(n: number): Promise<void> {
  return dropList(inbox, `list-${n}.csv`, { first: n * people, people })
}

async function untilAccepted(lists: number): Promise<void> {
  while ((await sandbox.counts()).recipientsAccepted < lists * people) await clock.sleep(200)
}

function note(last: typeof noted): typeof noted {
  const use = worker.use()
  const ms = clock.monotonicMs()
  const lists = dropped - last.dropped
  const cpuMs = use.cpuMs - last.use.cpuMs
  const restMsShare = (restCpuMs / restMs) * (ms - last.ms)
  rows.push([
    `${Math.round((ms - begunMs) / 1_000)} s`,
    whole(lists),
    (cpuMs / lists).toFixed(0),
    ((cpuMs - restMsShare) / lists).toFixed(0),
    `${use.megabytes} MB`,
    String(use.threads),
    String(use.files),
  ])
  return { use, dropped, ms }
}
