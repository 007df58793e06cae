import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { checkDataDir } from '#src/check/check-data-dir.ts'
import { openStorage } from '#src/storage.ts'
import { systemClock } from '#src/time/clock.ts'

const dataDir = '/proc/credsync/data'

test.runIf(process.platform === 'linux')('a place where nothing can be made is told, to root as well', async () => {
  const [check] = await checkDataDir(dataDir)
  expect(check).toMatchObject({ ok: false, what: expect.stringMatching(/^\/proc cannot be written by this account/) })
})

test.runIf(process.platform === 'linux')('the storage refuses such a place with the next step, and ends', async () => {
  await expect(openStorage({ databaseUrl: null, dataDir }, { clock: systemClock })).rejects.toThrow(
    /the data directory cannot be made \(ENOENT\).*CREDSYNC_DATA_DIR/,
  )
})

test('a directory that is not there yet is looked at where it will be made, and nothing stays behind', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'credsync-check-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const [check] = await checkDataDir(join(folder, 'data'))
  expect(check?.what).toMatch(/free$/)
  expect(await readdir(folder)).toEqual([])
})
