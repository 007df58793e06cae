// The data directory: can the outbox be written there, and is there room on its disk?

import { constants } from 'node:fs'
import { access, mkdtemp, rmdir, stat, statfs } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { bad, type Check, good } from './check.ts'

const mebibyte = 2 ** 20
/** Below the first nobody should rely on the next night; below the second it is time to look. */
const room = { least: 256 * mebibyte, comfortable: 2_048 * mebibyte }

export async function checkDataDir(dataDir: string): Promise<Check[]> {
  const there = await nearest(dataDir)
  const seen = await stat(there).catch(() => null)
  if (seen && !seen.isDirectory())
    return [bad('data directory', `${there} is not a folder`, 'Name another one in CREDSYNC_DATA_DIR')]
  const locked = await access(there, constants.W_OK | constants.X_OK)
    .then(() => (there === dataDir ? undefined : tryFolder(there)))
    .then(
      () => null,
      (error: NodeJS.ErrnoException) => error.code ?? 'unknown',
    )
  if (locked)
    return [
      bad(
        'data directory',
        `${there} cannot be written by this account (${locked})`,
        'Give it the right to, or name another directory in CREDSYNC_DATA_DIR',
      ),
    ]
  const { bavail, bsize } = await statfs(there)
  return [judgeRoom(dataDir, bavail * bsize)]
}

/** Pure. @param free bytes */
export function judgeRoom(dataDir: string, free: number): Check {
  const found = `${dataDir} has ${sized(free)} free`
  const remedy =
    'Free some, or move it to a larger disk: results, and the database where it lies there, need room every night'
  if (free < room.least) return bad('data directory', found, remedy)
  return good('data directory', found, free < room.comfortable ? { notices: [`little room is left. ${remedy}`] } : {})
}

/** It is made by the first command; until then the folder in which it will be made counts. */
async function nearest(path: string): Promise<string> {
  const there = await stat(path).then(
    () => true,
    (error: NodeJS.ErrnoException) => error.code !== 'ENOENT',
  )
  return there || dirname(path) === path ? path : nearest(dirname(path))
}

/** To root every place seems writable, /proc among them. Throws what the file system says to a folder that is made there. */
async function tryFolder(there: string): Promise<void> {
  await rmdir(await mkdtemp(join(there, '.credsync-check-')))
}

function sized(bytes: number): string {
  return bytes >= 1_024 * mebibyte
    ? `${(bytes / 1_024 / mebibyte).toFixed(1)} GiB`
    : `${Math.round(bytes / mebibyte)} MiB`
}
