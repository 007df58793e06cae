// The inboxes of the configuration, by pipeline.

import { realpath } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import type { PipelineSettings } from '#config/schema.ts'
import type { InboxSettings } from '#config/source-settings.ts'
import type { Clock } from '#src/time/clock.ts'
import { parseDuration } from '#src/time/duration.ts'
import { parseSchedule, type Schedule } from '#src/time/schedule.ts'
import { subFolders } from './fitting-name.ts'
import { asInboxError } from './inbox-error.ts'
import { type Inbox, openInbox } from './open-inbox.ts'

export interface WatchedInbox extends Inbox {
  pipeline: string
  folder: string
  pattern: string
  marker: string | null
  settleMs: number
  schedule: Schedule
}

export interface Inboxes {
  all: readonly WatchedInbox[]
  find(pipeline: string): WatchedInbox | null
  /** The inbox whose folders hold the file of the run; null for a file from elsewhere. @throws InboxError when it cannot be used */
  holding(run: { pipeline: string; sourcePath: string }): Promise<WatchedInbox | null>
}

export function openInboxes(pipelines: Readonly<Record<string, PipelineSettings>>, clock: Clock): Inboxes {
  const all = Object.entries(pipelines).flatMap(([pipeline, { source }]) =>
    source && 'inbox' in source ? [watched(pipeline, source, clock)] : [],
  )
  const find = (pipeline: string) => all.find((inbox) => inbox.pipeline === pipeline) ?? null
  return {
    all,
    find,
    async holding({ pipeline, sourcePath }) {
      const inbox = find(pipeline)
      if (!inbox || !subFolders.some((name) => name === basename(dirname(sourcePath)))) return null
      // The ledger has true paths, whatever link the settings go through.
      const folder = await asInboxError(inbox.folder, () => realpath(inbox.folder))
      return dirname(dirname(sourcePath)) === folder ? inbox : null
    },
  }
}

function watched(pipeline: string, source: InboxSettings, clock: Clock): WatchedInbox {
  const schedule = parseSchedule(source.schedule, source.timeZone)
  const settleMs = parseDuration(source.settle)
  if (!schedule || settleMs === null) throw new TypeError(`the settings of inbox ${pipeline} were not checked`)
  const { inbox: folder, pattern, marker = null } = source
  return {
    ...openInbox({ folder, pattern, settleMs, marker }, clock),
    pipeline,
    folder,
    pattern,
    marker,
    settleMs,
    schedule,
  }
}
