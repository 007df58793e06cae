// A world with an inbox that tests scan step by step: a real folder, a real ledger and a manual clock.

import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { collect } from '#jobs/collect.ts'
import { processorsFor } from '#jobs/processors.ts'
import { openInboxes } from '#src/files/inbox/open-inboxes.ts'
import type { Run } from '#src/ledger/runs/runs.ts'
import type { EventFields, EventName } from '#src/platform/log/events.ts'
import { withParts } from '#test/support/with-parts.ts'
import { steppedClock } from './clock.ts'
import { openWorld, peopleCsv } from './world.ts'

export const nightly = { schedule: '0 2 * * *', timeZone: 'Europe/Berlin' }
const evening = new Date('2026-11-20T20:00:00Z')

export async function inboxFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'credsync-inbox-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

export async function openInboxBench(source: object = {}, pipeline: object = {}) {
  const inbox = await inboxFolder()
  const world = await openWorld({ pipeline: { source: { inbox, ...source }, ...pipeline } })
  onTestFinished(() => world[Symbol.asyncDispose]())
  const { app } = world
  const clock = steppedClock(evening)
  const logged: [EventName, EventFields][] = []
  const enqueued: string[] = []
  const log = { event: (name: EventName, fields: EventFields = {}) => void logged.push([name, fields]) }
  const queues = { ...app.queues, enqueue: async (name: string) => enqueued.push(name) > 0 } as typeof app.queues
  const tools = withParts(app, { clock, log, queues, inboxes: openInboxes(app.settings.file.pipelines, clock) })
  const scan = (signal?: AbortSignal) => collect(tools, { pipeline: 'spring' }, signal)
  return {
    ...world,
    inbox,
    clock,
    tools,
    logged,
    enqueued,
    scan,
    /** Writes a file with an old modification time. */
    async drop(name: string, text = peopleCsv(2)) {
      await writeFile(join(inbox, name), text)
      await utimes(join(inbox, name), new Date(0), new Date(0))
    },
    /** Drops a file, scans the inbox and returns the file's run. */
    async dropAndScan(name: string, text = peopleCsv(2)): Promise<Run> {
      await this.drop(name, text)
      await clock.advance(60_000)
      await scan()
      return (await app.ledger.runs.list())[0] as Run
    },
    /** Runs the intake job of the run. */
    intake: (run: Run) => processorsFor(tools).intake({ runId: run.id }, { signal: new AbortController().signal }),
    settle: (run: Run) => app.database.query('UPDATE run SET settled_at = clock_timestamp() WHERE id = $1', [run.id]),
    filesIn: async (folder: string) => (await readdir(join(inbox, folder)).catch(() => [])).sort(),
    inboxStatus: async () => (await app.ledger.inboxes.statuses())[0],
  }
}
