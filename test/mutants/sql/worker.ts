// Starts vitest processes that run run-mutants.ts, and kills those that hang.

import { spawn } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { systemClock } from '#src/platform/time/clock.ts'
import { root } from './mutants.ts'
import type { Event, Order, Orders } from './orders.ts'
import type { Outcome } from './score.ts'

export type TestRun = Extract<Event, { test: string }>

/** How long a test may take with a mutant. Waiting for a lock times out after thirty seconds anyway. */
const limitOf = (usualMs: number) => 60_000 + usualMs * 10
/** The limit for a process that has not started its first test, and for a test without a mutant. */
const patienceMs = 1_800_000

/** Runs every test once, without a mutant. */
export async function runTests(folder: string, files: readonly string[]): Promise<TestRun[]> {
  const { events } = await runProcess(folder, { files, mutants: null }, { limit: () => patienceMs })
  return events.filter((event) => 'test' in event)
}

export interface Work {
  files: readonly string[]
  orders: readonly Order[]
  /** How long each test takes without a mutant, in milliseconds. */
  durations: ReadonlyMap<string, number>
  note: (mutant: number, outcome: Outcome) => void
}

/** Runs mutants one after another; if a process hangs, a new one continues with the next mutant. */
export async function runOrders(folder: string, { files, orders, durations, note }: Work): Promise<void> {
  let rest = orders
  while (rest.length > 0) {
    const done = new Set<number>()
    const onEvent = (event: Event) => {
      if (!('result' in event)) return
      const { mutant, ...outcome } = event
      done.add(mutant)
      note(mutant, outcome)
    }
    const limit = (last: Event | undefined) =>
      last && 'begins' in last ? limitOf(durations.get(last.begins) ?? 0) : patienceMs
    const { events, hung } = await runProcess(folder, { files, mutants: [...rest] }, { limit, onEvent })
    const last = events.at(-1)
    // The test failed with the mutant, and then without it. An earlier mutant left something behind, unless there was
    // none.
    if (last && 'begins' in last && (hung || done.size === 0)) {
      done.add(last.mutant)
      note(last.mutant, { result: hung ? 'hangs' : 'killed', by: last.begins, words: '' })
    }
    if (done.size === 0) throw new Error('A process of the mutation run ended without a result.')
    rest = rest.filter(({ mutant }) => !done.has(mutant))
  }
}

interface Watch {
  /** How long the process may be silent after this event. */
  limit: (last: Event | undefined) => number
  onEvent?: (event: Event) => void
}

async function runProcess(
  folder: string,
  orders: Omit<Orders, 'events'>,
  watch: Watch,
): Promise<{ events: Event[]; hung: boolean }> {
  const name = join(folder, crypto.randomUUID())
  await writeFile(`${name}.json`, JSON.stringify({ ...orders, events: `${name}.events` } satisfies Orders))
  await writeFile(`${name}.events`, '')
  const vitest = join(root, 'node_modules/vitest/vitest.mjs')
  const child = spawn(process.execPath, [vitest, 'run', '--config', join(import.meta.dirname, 'vitest.config.ts')], {
    cwd: root,
    env: { ...process.env, CREDSYNC_SQL_MUTANTS: `${name}.json`, CREDSYNC_TEST_SIZE: 'few' },
    stdio: 'ignore',
  })
  const exit = new Promise<'exited'>((done) => child.on('close', () => done('exited')))
  const events: Event[] = []
  let hung = false
  let heardAt = systemClock.monotonicMs()
  for (;;) {
    const state = await Promise.race([exit, systemClock.sleep(500)])
    const lines = (await readFile(`${name}.events`, 'utf8')).split('\n').slice(events.length, -1)
    for (const line of lines) {
      events.push(JSON.parse(line) as Event)
      watch.onEvent?.(events.at(-1) as Event)
      heardAt = systemClock.monotonicMs()
    }
    if (state === 'exited') return { events, hung }
    if (systemClock.monotonicMs() - heardAt <= watch.limit(events.at(-1))) continue
    hung = true
    child.kill('SIGKILL')
  }
}
