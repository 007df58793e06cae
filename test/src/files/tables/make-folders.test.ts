// Creates folders level by level, and stops if one cannot be created.

import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { makeFolders } from '#src/files/tables/make-folders.ts'

async function testFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'credsync-folders-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

test('each missing level is created with the mode, and existing levels are unchanged', async () => {
  const folder = await testFolder()
  const deep = join(folder, 'a', 'b', 'c')
  await Promise.all([makeFolders(deep, 0o710), makeFolders(deep, 0o710), makeFolders(join(folder, 'a', 'd'), 0o710)])
  for (const path of [join(folder, 'a'), deep]) expect((await stat(path)).mode & 0o777).toBe(0o710)
  await makeFolders(deep, 0o700)
  expect((await stat(deep)).mode & 0o777).toBe(0o710)
})

test('the file system’s error is thrown if a file has the name of a folder', async () => {
  const folder = await testFolder()
  await writeFile(join(folder, 'file'), '')
  await expect(makeFolders(join(folder, 'file'))).rejects.toMatchObject({ code: 'EEXIST' })
  await expect(makeFolders(join(folder, 'file', 'x', 'y'))).rejects.toMatchObject({ code: 'ENOTDIR' })
})

// Nothing can be created in /proc. A recursive `mkdir` would retry forever in a thread, and so keep this process alive.
test.runIf(process.platform === 'linux')('an error is thrown if nothing can be created in a folder', async () => {
  await expect(makeFolders('/proc/credsync/data/demo')).rejects.toMatchObject({ code: 'ENOENT' })
})
