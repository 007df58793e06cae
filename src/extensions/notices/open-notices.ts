// Opens the notices of the configuration: who is notified through which channel, and what each pipeline expects. Connects to
// nothing.

import type { FileSettings } from '#config/schema.ts'
import type { HeartbeatSettings, NotifySettings } from '#src/extensions/notices/settings/notify-settings.ts'
import { parseDuration } from '#src/platform/time/duration.ts'
import type { Channel } from './channels/channel.ts'
import { type HookTools, hookOf } from './channels/hooks.ts'
import { type MailServer, type MailTools, openMailServer } from './channels/mail.ts'
import { describeNotice } from './describe-facts.ts'
import { type Expectation, openExpectation } from './expected-list.ts'

export interface Notices {
  /** Null without `notify`: then nothing is decided and nothing is sent. */
  settings: NotifySettings | null
  groupMs: number
  remindMs: number
  mailServer: MailServer | null
  recipients: readonly { name: string; channel: Channel }[]
  pipelines: readonly string[]
  /** The pipelines with an inbox. */
  inboxes: readonly string[]
  /** Where the outcomes of each pipeline are delivered. */
  targets: readonly { pipeline: string; name: string }[]
  /** Whether changed rows are to be counted now, and notes that they are. */
  countsChanges(now: Date): boolean
  expecting: readonly ExpectingPipeline[]
  heartbeat: HeartbeatSettings | null
  describe: typeof describeNotice
}

export interface ExpectingPipeline {
  pipeline: string
  expectation: Expectation
  completions: boolean
  /** The settings as text, to notice that they have changed. */
  terms: string
}

/** Counting changed rows costs more the more of them wait, so it is not done in every round. */
const changesEveryMs = 60_000

/** @param targets of all pipelines */
export function openNotices(
  { notify, heartbeat, pipelines }: Pick<FileSettings, 'notify' | 'heartbeat' | 'pipelines'>,
  tools: HookTools & MailTools,
  targets: Notices['targets'],
): Notices {
  const mailServer = notify?.smtp ? openMailServer(notify.smtp, tools) : null
  return {
    settings: notify ?? null,
    groupMs: parseDuration(notify?.group ?? '') ?? 0,
    remindMs: parseDuration(notify?.remind ?? '') ?? 0,
    mailServer,
    recipients: Object.entries(notify?.to ?? {}).flatMap(([name, recipient]) => {
      const channel = recipient.email ? mailServer?.channelTo(recipient.email) : hookOf(tools, recipient)
      return channel ? [{ name, channel }] : []
    }),
    pipelines: Object.keys(pipelines),
    countsChanges: everySoOften(changesEveryMs),
    inboxes: Object.keys(pipelines).filter((name) => 'inbox' in (pipelines[name]?.source ?? {})),
    targets,
    expecting: Object.entries(pipelines).flatMap(([pipeline, { expect, source }]) => {
      if (!expect) return []
      const completions = source !== undefined && 'system' in source
      return [
        { pipeline, expectation: openExpectation(expect, completions), completions, terms: JSON.stringify(expect) },
      ]
    }),
    heartbeat: heartbeat ?? null,
    describe: describeNotice,
  }
}

function everySoOften(ms: number): (now: Date) => boolean {
  let last = Number.NEGATIVE_INFINITY
  return (now) => {
    const isDue = Math.abs(now.getTime() - last) >= ms
    if (isDue) last = now.getTime()
    return isDue
  }
}
