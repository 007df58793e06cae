// What `check` reports about the data directory if it is missing or not writable.

import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openStorage } from '#src/app/storage.ts'
import { checkDataDir, checkFreeSpace } from '#src/check/check-data-dir.ts'
import { systemClock } from '#src/platform/time/clock.ts'

const dataDir = '/proc/credsync/data'

test.runIf(process.platform === 'linux')('a folder without write access is reported, also to root', async () => {
  const [check] = await checkDataDir(dataDir)
  expect(check).toMatchObject({ ok: false, what: expect.stringMatching(/^\/proc is not writable by this account/) })
})

test.runIf(process.platform === 'linux')('the storage refuses such a folder and says what to do', async () => {
  await expect(openStorage({ databaseUrl: null, dataDir }, { clock: systemClock })).rejects.toThrow(
    /the data directory cannot be created \(ENOENT\).*CREDSYNC_DATA_DIR/,
  )
})

test('a missing directory is checked where it will be created, and nothing is left behind', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'credsync-check-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const [check] = await checkDataDir(join(folder, 'data'))
  expect(check?.what).toMatch(/free$/)
  expect(await readdir(folder)).toEqual([])
})

const mebibyte = 2 ** 20
test.each([
  [255 * mebibyte, { ok: false, what: '/data has 255 MiB free', remedy: expect.stringMatching(/^Free some space/) }],
  [
    256 * mebibyte,
    { ok: true, what: '/data has 256 MiB free', notices: [expect.stringMatching(/^little space is left/)] },
  ],
  [2_047 * mebibyte, { ok: true, notices: [expect.stringMatching(/^little space is left/)] }],
  [2_048 * mebibyte, { ok: true, what: '/data has 2.0 GiB free', remedy: null }],
])('free space of %i bytes is judged by what the next days need', (freeBytes, result) => {
  const check = checkFreeSpace('/data', freeBytes)
  expect(check).toMatchObject(result)
  expect(check.notices !== undefined).toBe('notices' in result)
})
