// The permissions of the data directory that is created for the embedded database.

import { chmod, mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openStorage } from '#src/app/storage.ts'
import { systemClock } from '#src/platform/time/clock.ts'

test('the data directory lets other accounts pass but not list it, so that PostgreSQL’s own account finds its files', async () => {
  const root = await mkdtemp(join(tmpdir(), 'credsync-storage-'))
  onTestFinished(() => rm(root, { recursive: true, force: true }))
  await chmod(root, 0o755)
  const dataDir = join(root, 'data', 'demo')
  const storage = await openStorage({ databaseUrl: null, dataDir }, { clock: systemClock })
  onTestFinished(() => storage.release())
  expect((await stat(dataDir)).mode & 0o777).toBe(0o711)
  // The database is in the data directory even for root, with no pointer file to another location.
  expect(await readdir(dataDir)).toEqual(['postgres'])
  expect((await stat(join(dataDir, 'postgres'))).mode & 0o777).toBe(0o700)
})
