// Ends this process if a test computes for too long, which the thread that runs the test cannot do itself. Counts
// processor time, because a busy machine is slow for reasons of its own.

import { parentPort, Worker, workerData } from 'node:worker_threads'

const mostMilliseconds = 5_000

/** @returns a function that tells the watchdog that a test begins */
export function startWatchdog(): () => void {
  const begun = new Int32Array(new SharedArrayBuffer(4))
  new Worker(new URL(import.meta.url), { workerData: begun, execArgv: [] }).unref()
  return () => void Atomics.add(begun, 0, 1)
}

if (parentPort && workerData instanceof Int32Array) watch(workerData)

function watch(begun: Int32Array): void {
  let [last, since] = [-1, process.cpuUsage()]
  setInterval(() => {
    const now = Atomics.load(begun, 0)
    const { user, system } = process.cpuUsage(since)
    if (now !== last) [last, since] = [now, process.cpuUsage()]
    else if ((user + system) / 1000 > mostMilliseconds) process.kill(process.pid, 'SIGKILL')
  }, 500)
}
