// Helpers for tests of a ledger that is rolled back: prepares batches, runs a second process, and shows what was
// sent.

import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import type { ExtensionTools } from '#jobs/extension-jobs.ts'
import { intake } from '#jobs/intake.ts'
import { startWorker } from '#jobs/worker.ts'
import { type App, openApp } from '#src/app/app.ts'
import type { Outcome } from '#src/issuer/sending/outcome.ts'
import type { EventName } from '#src/platform/log/events.ts'
import type { Log } from '#src/platform/log/log.ts'
import { systemClock } from '#src/platform/time/clock.ts'
import { runInProcess } from '#test/src/cli/run-in-process.ts'
import { backUp } from '#test/support/database-backup.ts'
import {
  openWorld,
  peopleCsv,
  timesIssued,
  type World,
  type WorldOptions,
  worldEnv,
  worldFile,
} from '#test/support/world.ts'
import { prepareOne } from './prepare-one.ts'

export const neverAborted = new AbortController().signal

/** A log that records the names of its events. */
export function openEventLog(): Log & { names: EventName[] } {
  const names: EventName[] = []
  return { names, event: (name) => void names.push(name) }
}

export async function openLoggedWorld(options: WorldOptions = {}) {
  const notes = openEventLog()
  return Object.assign(await openWorld({ ...options, appOptions: { log: notes } }), { notes })
}

/** Takes in a list and prepares it as one batch. Returns the attempt's id. */
export async function prepareBatch(world: World, people = 5, from = 1): Promise<number> {
  await intake(world.app, { runId: await world.receive(`list-${from}.csv`, peopleCsv(people, from)) })
  return (await prepareOne(world.app.ledger, 'spring', people)) as number
}

export async function backUpWorld({ databaseUrl }: World) {
  const backup = await backUp(databaseUrl)
  onTestFinished(() => backup.drop())
  return backup
}

/** Returns the app with `then` called after an invitation was answered and before its outcome is written. */
export function interruptAfterInvite(app: App, then: (outcome: Outcome) => Promise<Outcome>): ExtensionTools {
  return { ...app, issuer: { ...app.issuer, invite: async (...given) => then(await app.issuer.invite(...given)) } }
}

/** Runs `work` with the app and log of another process with the same configuration. */
export async function inAnotherProcess(
  { settings, app: { tuning } }: World,
  work: (app: App, notes: EventName[]) => Promise<void>,
) {
  const notes = openEventLog()
  await using app = await openApp(settings, { clock: systemClock, log: notes, random: () => 0.5, tuning })
  await work(app, notes.names)
}

/** Runs `work` as another process, with a running worker. */
export const anotherWorker = (world: World, work: (app: App, notes: EventName[]) => Promise<void>) =>
  inAnotherProcess(world, async (app, notes) => {
    await using _worker = await startWorker(app)
    await work(app, notes)
  })

export const statesOf = async ({ app }: Pick<World, 'app'>) =>
  (await app.database.query<{ state: string }>('SELECT state FROM issuance ORDER BY id')).rows.map(({ state }) => state)

export const stopReason = async ({ app }: Pick<World, 'app'>) =>
  (await app.ledger.sendingStops.stops())[0]?.reason ?? null

export const fiveTimes = (what: string) => Array.from({ length: 5 }, () => what)

export function expectEachOnce({ sandbox }: World, people: number) {
  expect(timesIssued(sandbox).size).toBe(people)
  expect([...timesIssued(sandbox).values()].filter((times) => times !== 1)).toEqual([])
}

/** Runs a credsync command in the world, as an operator would in another terminal. */
export async function runCredsync(world: World, args: readonly string[]) {
  const path = join(world.folder, 'credsync.yaml')
  await writeFile(path, JSON.stringify(worldFile(world.sandbox)))
  return runInProcess([...args, ...(args[0] === 'status' ? [] : ['--config', path])], {
    cwd: world.folder,
    env: worldEnv(world),
  })
}
