import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { makeFolders } from '#src/sources/make-folders.ts'

async function testFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'credsync-folders-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

test('makes each level that is missing, with the mode, and leaves one that is there', async () => {
  const folder = await testFolder()
  const deep = join(folder, 'a', 'b', 'c')
  await Promise.all([makeFolders(deep, 0o710), makeFolders(deep, 0o710), makeFolders(join(folder, 'a', 'd'), 0o710)])
  for (const path of [join(folder, 'a'), deep]) expect((await stat(path)).mode & 0o777).toBe(0o710)
  await makeFolders(deep, 0o700)
  expect((await stat(deep)).mode & 0o777).toBe(0o710)
})

test('says what the file system says where a file is in the way', async () => {
  const folder = await testFolder()
  await writeFile(join(folder, 'file'), '')
  await expect(makeFolders(join(folder, 'file'))).rejects.toMatchObject({ code: 'EEXIST' })
  await expect(makeFolders(join(folder, 'file', 'x', 'y'))).rejects.toMatchObject({ code: 'ENOTDIR' })
})

// A folder that is there, and in which nothing can be made: a thread that tries for ever would keep this test's process too.
test.runIf(process.platform === 'linux')('ends where a folder takes no other', async () => {
  await expect(makeFolders('/proc/credsync/data/demo')).rejects.toMatchObject({ code: 'ENOENT' })
})
