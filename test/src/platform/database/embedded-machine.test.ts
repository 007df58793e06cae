// What an operator reads where the embedded PostgreSQL cannot run. Other machines are faked by what Node says of them.

import { chmod, cp, readdir, readFile, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { findPackagedBinaries, prepareBinaries } from '#src/platform/database/embedded-binaries.ts'
import { packageFor } from '#src/platform/database/embedded-machine.ts'
import { openEmbeddedPostgres } from '#src/platform/database/embedded-postgres.ts'
import { systemClock as clock } from '#src/platform/time/clock.ts'
import { makeDirectory } from '#test/support/embedded-directory.ts'

const machine = (platform: string, arch: string, hasGlibc = true) => ({ platform, arch, hasGlibc: () => hasGlibc })
const root = dirname(dirname(createRequire(import.meta.url).resolve('embedded-postgres')))

test('every machine that embedded-postgres has programs for is known, and Windows is left out on purpose', async () => {
  const { optionalDependencies } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
  const kinds = Object.keys(optionalDependencies).map((name) => name.replace('@embedded-postgres/', ''))
  const named = kinds.filter((kind) => kind !== 'windows-x64')
  expect(named).toContain('darwin-arm64')
  expect(named.map((kind) => packageFor(machine(...(kind.split('-') as [string, string]))))).toEqual(
    named.map((kind) => `@embedded-postgres/${kind}`),
  )
})

test.each([
  [
    'Windows',
    machine('win32', 'x64'),
    'it does not run on Windows. Where: this machine, win32-x64. Next: run credsync in',
  ],
  ['another processor', machine('linux', 'riscv64'), 'there is no package of it for this kind of machine. Where: this'],
  [
    'another system',
    machine('freebsd', 'x64'),
    'there is no package of it for this kind of machine. Where: this machine,',
  ],
])('%s gets a sentence, and the data directory stays empty', async (_, faked, sentence) => {
  const { dataDir } = await makeDirectory()
  const opening = openEmbeddedPostgres({ dataDir, clock, machine: faked })
  await expect(opening).rejects.toThrow(`Embedded PostgreSQL: ${sentence}`)
  await expect(opening).rejects.toThrow('set DATABASE_URL to a PostgreSQL of your own.')
  expect(await readdir(dataDir)).toEqual([])
})

test('programs that do not run on a machine without glibc, such as Alpine Linux, are not copied anywhere', async () => {
  const { dataDir, systemDir } = await makeDirectory()
  const { native, version } = await findPackagedBinaries()
  const elsewhere = join(dataDir, 'native')
  await cp(native, elsewhere, { recursive: true, verbatimSymlinks: true })
  // What happens there: the file exists, and the loader that it names does not.
  await writeFile(join(elsewhere, 'bin/postgres'), '#!/lib/no-such-loader\n')
  await chmod(join(elsewhere, 'bin/postgres'), 0o755)
  const preparing = prepareBinaries(
    { native: elsewhere, version },
    null,
    systemDir,
    () => {},
    machine('linux', 'x64', false),
  )
  await expect(preparing).rejects.toThrow(
    "Embedded PostgreSQL: PostgreSQL's programs need glibc, and this machine has another C library, as Alpine Linux does.",
  )
  await expect(readdir(systemDir)).rejects.toThrow('ENOENT')
})
