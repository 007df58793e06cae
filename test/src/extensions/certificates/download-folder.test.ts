// A download folder that cannot be used is an error of its own kind, which names the folder and what to do.

import { mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { openDownloadFolder } from '#src/extensions/certificates/download-folder.ts'
import { DownloadFolderError } from '#src/extensions/certificates/download-folder-error.ts'

let parent: string
beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), 'credsync-downloads-'))
  onTestFinished(() => rm(parent, { recursive: true, force: true }))
})

test('its last level is created, for this account alone', async () => {
  const folder = join(parent, 'certificates')
  await openDownloadFolder(folder)
  expect((await stat(folder)).mode & 0o777).toBe(0o700)
})

test.each([
  ['in a folder that does not exist', 'missing/certificates', /There is no folder .*missing, and only the last level/],
  ['that is a file', 'a-file', /a-file is not a folder\. Choose another folder\./],
  ['below a file', 'a-file/certificates', /cannot be examined \(ENOTDIR\)\. Check the permissions/],
  ['whose list is a folder', 'strange', /strange\/manifest\.jsonl is not a regular file/],
])('a folder %s is refused', async (_, path, words) => {
  await writeFile(join(parent, 'a-file'), '')
  await mkdir(join(parent, 'strange/manifest.jsonl'), { recursive: true })
  const error = await openDownloadFolder(join(parent, path)).catch((fault: unknown) => fault)
  expect(error).toBeInstanceOf(DownloadFolderError)
  expect((error as Error).message).toMatch(words)
})
