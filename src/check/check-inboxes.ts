// Each inbox: is it there, may it be read and written, can files be renamed within it, and when is it looked at next?

import type { App } from '#src/app.ts'
import { inboxFaults } from '#src/inbox/inbox-faults.ts'
import type { WatchedInbox } from '#src/inbox/open-inboxes.ts'
import { minuteOf } from '#src/time/minute.ts'
import { badSentence, type Check, good } from './check.ts'

export async function checkInboxes({ inboxes, clock }: Pick<App, 'inboxes' | 'clock'>): Promise<Check[]> {
  const checks: Check[] = []
  for (const inbox of inboxes.all) {
    const more = { pipeline: inbox.pipeline }
    const faults = await inboxFaults(inbox.folder)
    for (const sentence of faults) checks.push(badSentence('inbox', sentence, more))
    if (faults.length === 0) checks.push(good('inbox', standing(inbox, clock.now()), more))
  }
  return checks
}

function standing({ folder, pattern, marker, schedule }: WatchedInbox, now: Date): string {
  const { everyMs, text, timeZone } = schedule
  const when =
    everyMs === null
      ? `looked at by \`${text}\` (${timeZone}), next at ${minuteOf(schedule.next(now))} UTC`
      : `looked at every ${text}`
  const files = marker === null ? pattern : `${pattern} with its ${marker}`
  return `${folder} can be read and written, and its sub-folders are on the same file system; ${files} is ${when}`
}
