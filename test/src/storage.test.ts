// The data directory that the storage makes, with the embedded database in it.

import { chmod, mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openStorage } from '#src/storage.ts'
import { systemClock } from '#src/time/clock.ts'

test('the data directory lets others through and shows them nothing, so that PostgreSQL’s own account finds its files', async () => {
  const root = await mkdtemp(join(tmpdir(), 'credsync-storage-'))
  onTestFinished(() => rm(root, { recursive: true, force: true }))
  await chmod(root, 0o755)
  const dataDir = join(root, 'data', 'demo')
  const storage = await openStorage({ databaseUrl: null, dataDir }, { clock: systemClock })
  onTestFinished(() => storage.release())
  expect((await stat(dataDir)).mode & 0o777).toBe(0o711)
  // Also as root: not elsewhere, and without a pointer.
  expect(await readdir(dataDir)).toEqual(['postgres'])
  expect((await stat(join(dataDir, 'postgres'))).mode & 0o777).toBe(0o700)
})
