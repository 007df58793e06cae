// Checks that each inbox exists, is readable and writable, and that files can be renamed within it. Also shows when it
// is scanned next. Touches only the file system.

import type { App } from '#src/app/app.ts'
import { inboxFaults } from '#src/files/inbox/inbox-faults.ts'
import type { WatchedInbox } from '#src/files/inbox/open-inboxes.ts'
import { minuteOf } from '#src/platform/time/format-minute.ts'
import { type Check, faultyFromSentence, passed } from './check-result.ts'

export async function checkInboxes({ inboxes, clock }: Pick<App, 'inboxes' | 'clock'>): Promise<Check[]> {
  const checks: Check[] = []
  for (const inbox of inboxes.all) {
    const subject = { pipeline: inbox.pipeline }
    const faults = await inboxFaults(inbox.folder)
    for (const { sentence } of faults) checks.push(faultyFromSentence('inbox', sentence, subject))
    if (faults.length === 0) checks.push(passed('inbox', describeInbox(inbox, clock.now()), subject))
  }
  return checks
}

function describeInbox({ folder, pattern, marker, schedule }: WatchedInbox, now: Date): string {
  const { everyMs, text, timeZone } = schedule
  const when =
    everyMs === null
      ? `scanned by \`${text}\` (${timeZone}), next at ${minuteOf(schedule.next(now))} UTC`
      : `scanned every ${text}`
  const files = marker === null ? pattern : `${pattern} with its ${marker}`
  return `${folder} can be read and written, and its sub-folders are on the same file system; ${files} is ${when}`
}
