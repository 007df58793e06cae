// Checks that the data directory is writable and that its disk has free space, and that files can be taken from the
// inboxes. Leaves nothing behind.

import { constants } from 'node:fs'
import { access, mkdtemp, rmdir, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { App } from '#src/app/app.ts'
import { inboxFaults } from '#src/files/inbox/inbox-faults.ts'
import type { WatchedInbox } from '#src/files/inbox/open-inboxes.ts'
import { freeBytes, keptFreeBytes } from '#src/platform/free-disk.ts'
import { minuteOf } from '#src/platform/time/duration.ts'
import { type Check, faulty, faultyFromSentence, passed } from './check-result.ts'

const mebibyte = 2 ** 20
/** In bytes. Below `minimum`, the next daily run may fail; below `comfortable`, an operator should free space. */
const freeSpace = { minimum: keptFreeBytes, comfortable: 2_048 * mebibyte }

export async function checkDataDir(dataDir: string): Promise<Check[]> {
  const existing = await nearestExisting(dataDir)
  const stats = await stat(existing).catch(() => null)
  if (stats && !stats.isDirectory())
    return [faulty('data directory', `${existing} is not a directory`, 'Set CREDSYNC_DATA_DIR to a directory')]
  const errorCode = await access(existing, constants.W_OK | constants.X_OK)
    .then(() => (existing === dataDir ? undefined : tryCreatingFolder(existing)))
    .then(
      () => null,
      (error: NodeJS.ErrnoException) => error.code ?? 'unknown',
    )
  if (errorCode)
    return [
      faulty(
        'data directory',
        `${existing} is not writable by this account (${errorCode})`,
        'Give the account write access, or set CREDSYNC_DATA_DIR to another directory',
      ),
    ]
  return [checkFreeSpace(dataDir, await freeBytes(existing))]
}

/** Pure. */
export function checkFreeSpace(dataDir: string, free: number): Check {
  const found = `${dataDir} has ${readableSize(free)} free`
  const remedy =
    'Free some space, or move the directory to a larger disk: results, and the embedded database, need more every day'
  if (free < freeSpace.minimum) return faulty('data directory', found, remedy)
  return passed(
    'data directory',
    found,
    free < freeSpace.comfortable ? { notices: [`little space is left. ${remedy}`] } : {},
  )
}

/** Returns the directory itself or, until the first command creates it, the nearest existing directory above it. */
async function nearestExisting(path: string): Promise<string> {
  const exists = await stat(path).then(
    () => true,
    (error: NodeJS.ErrnoException) => error.code !== 'ENOENT',
  )
  return exists || dirname(path) === path ? path : nearestExisting(dirname(path))
}

/**
 * Creates and removes a directory, because every path, even /proc, appears writable to root.
 * @throws the errors of the file system
 */
async function tryCreatingFolder(parent: string): Promise<void> {
  await rmdir(await mkdtemp(join(parent, '.credsync-check-')))
}

function readableSize(bytes: number): string {
  return bytes >= 1_024 * mebibyte
    ? `${(bytes / 1_024 / mebibyte).toFixed(1)} GiB`
    : `${Math.round(bytes / mebibyte)} MiB`
}

/**
 * Checks that each inbox exists, is readable and writable, and that files can be renamed within it. Also shows when it
 * is scanned next. Touches only the file system.
 */
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
