// A world with an inbox that is looked at by hand: the real folder, the real ledger, and a clock that tests move.

import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { collect } from '#jobs/collect.ts'
import { processorsFor } from '#jobs/processors.ts'
import { openInboxes } from '#src/inbox/open-inboxes.ts'
import type { Run } from '#src/ledger/runs.ts'
import type { EventFields, EventName } from '#src/log/events.ts'
import { steppedClock } from './clock.ts'
import { openWorld, peopleCsv } from './world.ts'

export const nightly = { schedule: '0 2 * * *', timeZone: 'Europe/Berlin' }
const evening = new Date('2026-11-20T20:00:00Z')

export async function inboxFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'credsync-inbox-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

export async function openDesk(source: object = {}, pipeline: object = {}) {
  const inbox = await inboxFolder()
  const world = await openWorld({ pipeline: { source: { inbox, ...source }, ...pipeline } })
  onTestFinished(() => world[Symbol.asyncDispose]())
  const { app } = world
  const clock = steppedClock(evening)
  const logged: [EventName, EventFields][] = []
  const asked: string[] = []
  const log = { event: (name: EventName, fields: EventFields = {}) => void logged.push([name, fields]) }
  const queues = { ...app.queues, ask: async (name: string) => asked.push(name) > 0 } as typeof app.queues
  const tools = { ...app, clock, log, queues, inboxes: openInboxes(app.settings.file.pipelines, clock) }
  const look = () => collect(tools, { pipeline: 'spring' })
  return {
    ...world,
    inbox,
    clock,
    tools,
    logged,
    asked,
    look,
    /** A file that was written long before. */
    async drop(name: string, text = peopleCsv(2)) {
      await writeFile(join(inbox, name), text)
      await utimes(join(inbox, name), new Date(0), new Date(0))
    },
    /** Drops a file, takes it and gives its run. */
    async taken(name: string, text = peopleCsv(2)): Promise<Run> {
      await this.drop(name, text)
      await clock.advance(60_000)
      await look()
      return (await app.ledger.listRuns())[0] as Run
    },
    read: (run: Run) => processorsFor(tools).intake({ runId: run.id }, { signal: new AbortController().signal }),
    settle: (run: Run) => app.database.query('UPDATE run SET settled_at = clock_timestamp() WHERE id = $1', [run.id]),
    in: async (folder: string) => (await readdir(join(inbox, folder)).catch(() => [])).sort(),
    memory: async () => (await app.ledger.inboxes.looks())[0],
  }
}
