// Opens the configured inboxes, one for each pipeline that has one. Reads nothing yet.

import { realpath } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import type { PipelineSettings } from '#config/pipeline-settings.ts'
import type { InboxSettings } from '#config/source-settings.ts'
import type { Clock } from '#src/platform/time/clock.ts'
import { parseDuration } from '#src/platform/time/duration.ts'
import { parseSchedule, type Schedule } from '#src/platform/time/schedule.ts'
import { asInboxError } from './inbox-error.ts'
import { type Inbox, openInbox } from './open-inbox.ts'
import { subFolders } from './worker-folder.ts'

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
  /**
   * Finds the inbox whose sub-folders contain the file of the run; null if the file is elsewhere.
   * @throws InboxError if the inbox cannot be used
   */
  inboxOf(run: { pipeline: string; sourcePath: string }): Promise<WatchedInbox | null>
}

export function openInboxes(pipelines: Readonly<Record<string, PipelineSettings>>, clock: Clock): Inboxes {
  const all = Object.entries(pipelines).flatMap(([pipeline, { source }]) =>
    source && 'inbox' in source ? [openWatchedInbox(pipeline, source, clock)] : [],
  )
  const find = (pipeline: string) => all.find((inbox) => inbox.pipeline === pipeline) ?? null
  return {
    all,
    find,
    async inboxOf({ pipeline, sourcePath }) {
      const inbox = find(pipeline)
      if (!inbox || !subFolders.some((name) => name === basename(dirname(sourcePath)))) return null
      // The ledger stores resolved paths, while the settings may contain links.
      const folder = await asInboxError(inbox.folder, () => realpath(inbox.folder))
      return dirname(dirname(sourcePath)) === folder ? inbox : null
    },
  }
}

function openWatchedInbox(pipeline: string, source: InboxSettings, clock: Clock): WatchedInbox {
  const schedule = parseSchedule(source.schedule, source.timeZone)
  const settleMs = parseDuration(source.settle)
  if (!schedule || settleMs === null) throw new TypeError(`the settings of the inbox of ${pipeline} were not validated`)
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
