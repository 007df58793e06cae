// The account and folder of the embedded database, as root and as an ordinary user.

import { randomBytes } from 'node:crypto'
import { chmod, chown, cp, mkdir, readdir, readFile, readlink, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { findPackagedBinaries, prepareBinaries } from '#src/platform/database/embedded-binaries.ts'
import { ensureCluster } from '#src/platform/database/embedded-cluster.ts'
import { findAccount, findLocation, pointerName } from '#src/platform/database/embedded-location.ts'
import { systemClock } from '#src/platform/time/clock.ts'
import { ask, findOrdinaryUser, makeDirectory, openInChild } from '#test/support/embedded-directory.ts'

const asRoot = process.geteuid?.() === 0
const ordinary = await findOrdinaryUser()

describe.skipIf(!asRoot)('as root', () => {
  test('a data directory that only root may enter gets its database in another folder, with a pointer', async () => {
    const directory = await makeDirectory(0o700)
    const database = await directory.open()
    expect(await ask(database.url, 'select 1')).toBe(1)
    const shown = String(await ask(database.url, 'show data_directory'))
    expect(shown.startsWith(`${directory.systemDir}/data-`)).toBe(true)
    expect((await stat(shown)).uid).not.toBe(0)
    expect(await readFile(join(directory.dataDir, pointerName), 'utf8')).toContain(shown)
    const [home] = shown.split('/postgres')
    const notices = directory.notices.filter((notice) => notice.includes(directory.dataDir))
    expect(notices).toEqual([
      `The database is in ${home}, because PostgreSQL does not run as root and its user cannot enter ${directory.dataDir}. Back up ${home} together with ${directory.dataDir}.`,
    ])
    expect(directory.notices.join(' ')).not.toContain('was created in')
    await ask(database.url, 'create table kept as select 7 as n')
    expect(await database.release()).toBe('stopped')
    const before = directory.notices.length
    const again = await directory.open()
    expect(await ask(again.url, 'select n from kept')).toBe(7)
    expect(directory.notices.slice(before)).toEqual([])
    await again.release()
  })

  test('the pointer is followed even if the data directory can be entered by now', async () => {
    const directory = await makeDirectory(0o700)
    await (await directory.open()).release()
    await chmod(join(directory.dataDir, '..'), 0o755)
    const database = await directory.open()
    expect(await ask(database.url, 'show data_directory')).toContain(directory.systemDir)
    await database.release()
  })

  test('if the database that the pointer names is missing, opening fails and no empty one is created', async () => {
    const directory = await makeDirectory(0o700)
    await (await directory.open()).release()
    await rm(directory.systemDir, { recursive: true })
    await expect(directory.open()).rejects.toThrow(/is gone, and an empty database would issue every credential again/)
    await expect(stat(directory.systemDir)).rejects.toThrow('ENOENT')
  })

  test('if its owner can no longer reach the database, opening fails and no empty one is created elsewhere', async () => {
    const directory = await makeDirectory()
    await (await directory.open()).release()
    await chmod(join(directory.dataDir, '..'), 0o700)
    await expect(directory.open()).rejects.toThrow("can't enter its parent directory")
    // The folder may contain copies of the programs if other accounts cannot enter this checkout.
    const entries = await readdir(directory.systemDir).catch(() => [])
    expect(entries.filter((name) => name.startsWith('data'))).toEqual([])
  })

  test('the server of an existing data directory runs as its owner', async () => {
    const directory = await makeDirectory()
    await mkdir(join(directory.dataDir, 'postgres'))
    await chown(join(directory.dataDir, 'postgres'), 65534, 65534)
    const location = await findLocation(directory.dataDir, directory.systemDir, () => {})
    expect(location.runAs).toEqual({ uid: 65534, gid: 65534 })
  })

  test('a user id without a passwd entry is reported, and nothing is left behind', async () => {
    const directory = await makeDirectory()
    const runAs = { uid: 54_321, gid: 54_321 }
    const binaries = await prepareBinaries(await findPackagedBinaries(), runAs, directory.systemDir)
    const pgData = join(directory.dataDir, 'postgres')
    const making = ensureCluster({ pgData, runAs, binaries, clock: systemClock, random: randomBytes })
    await expect(making).rejects.toThrow(/user id that has no entry in .etc.passwd/)
    expect(await readdir(directory.dataDir)).toEqual([])
  })

  test('programs that the account cannot reach, without their links, run from a copy', async () => {
    const directory = await makeDirectory(0o700)
    const packaged = await findPackagedBinaries()
    const native = join(directory.dataDir, 'native')
    await cp(packaged.native, native, { recursive: true, verbatimSymlinks: true })
    await rm(join(native, 'lib', 'libpq.so.5'))
    const hidden = { native, version: '18.0.0-test' }
    const unfinishedCopy = join(directory.systemDir, '.half-postgresql-18.0.0-test-killed')
    await mkdir(unfinishedCopy, { recursive: true })
    await chmod(directory.systemDir, 0o755)
    const nobody = { uid: 65534, gid: 65534 }
    const binaries = await prepareBinaries(hidden, nobody, directory.systemDir, (text) => directory.notices.push(text))
    expect(binaries).toEqual({ bin: join(directory.systemDir, 'postgresql-18.0.0-test', 'bin'), major: 18 })
    expect((await stat(binaries.bin)).uid).toBe(0)
    expect(await readlink(join(binaries.bin, '..', 'lib', 'libpq.so.5'))).toBe('libpq.so.5.18')
    expect(directory.notices).toHaveLength(1)
    await prepareBinaries(hidden, nobody, directory.systemDir, (text) => directory.notices.push(text))
    expect(directory.notices).toHaveLength(1)
  })

  test.skipIf(ordinary === null)('an ordinary user keeps everything in the data directory', async () => {
    const directory = await makeDirectory()
    await chown(directory.dataDir, ordinary?.uid ?? 0, ordinary?.gid ?? 0)
    const child = await openInChild(directory, ordinary)
    expect(await ask(child.url, 'show data_directory')).toBe(join(directory.dataDir, 'postgres'))
    expect((await stat(join(directory.dataDir, 'postgres'))).uid).toBe(ordinary?.uid)
    const asRootToo = await directory.open()
    expect(asRootToo.url).toBe(child.url)
    await asRootToo.release()
    expect(await child.release()).toBe('stopped')
  })
})

test('missing library links are created if the package is writable', async () => {
  const directory = await makeDirectory()
  const packaged = await findPackagedBinaries()
  const native = join(directory.dataDir, 'native')
  await cp(packaged.native, native, { recursive: true, verbatimSymlinks: true })
  await rm(join(native, 'lib', 'libpq.so.5'))
  const binaries = await prepareBinaries({ native, version: packaged.version }, null, directory.systemDir)
  expect(binaries.bin).toBe(join(native, 'bin'))
  // Checked too, because the machine's own libpq would let the programs run without it.
  expect(await readlink(join(native, 'lib', 'libpq.so.5'))).toBe('libpq.so.5.18')
})

test('a file where the data directory should be is reported', async () => {
  const directory = await makeDirectory()
  await writeFile(join(directory.dataDir, 'postgres'), '')
  await expect(directory.open()).rejects.toThrow(/Embedded PostgreSQL: .*Where: .*Next: /s)
})

test('an account is found by its whole name, and root is never used', () => {
  const passwd =
    'root:x:0:0::/root:/bin/sh\npostgres-old:x:5:5:::\npostgres:x:101:104:,,,:/var:/bin/bash\ntoor:x:0:0:::\n'
  expect(findAccount(passwd, 'postgres')).toEqual({ uid: 101, gid: 104 })
  expect(findAccount(passwd, 'credsync')).toBeNull()
  expect(findAccount(passwd, 'toor')).toBeNull()
})
