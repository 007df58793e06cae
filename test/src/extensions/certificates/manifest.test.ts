// A manifest, or a file listed in it, whose name is taken by a link, a pipe or a folder. Needs a file system with
// pipes.

import { execFileSync } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { DownloadFolderError } from '#src/extensions/certificates/download-folder-error.ts'
import { manifestName, openManifest, type StoredFile } from '#src/extensions/certificates/manifest.ts'

// The hash of 'x'.
const sha256 = '2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881'
const entry: StoredFile = {
  id: '1',
  file: 'a.pdf',
  sha256,
  size: 1,
  contentType: '',
  fetchedAt: '2026-03-01T00:00:00Z',
}

async function testFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'credsync-manifest-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

const makePipe = (path: string) => void execFileSync('mkfifo', [path])

describe.runIf(process.platform !== 'win32')('the manifest of a folder', () => {
  test('is refused immediately if it is a pipe, because reading would block forever', async () => {
    const folder = await testFolder()
    makePipe(join(folder, manifestName))
    await expect(openManifest(folder)).rejects.toThrow(DownloadFolderError)
    await expect(openManifest(folder)).rejects.toThrow(/is not a regular file/)
  })

  test('is refused if it is a link, and the target of the link stays unchanged', async () => {
    const folder = await testFolder()
    const elsewhere = join(await testFolder(), 'diary')
    await writeFile(elsewhere, 'mine')
    await symlink(elsewhere, join(folder, manifestName))
    await expect(openManifest(folder)).rejects.toThrow(DownloadFolderError)
    // A link that is created after the manifest was opened is not followed either.
    const other = await testFolder()
    const manifest = await openManifest(other)
    await symlink(elsewhere, join(other, manifestName))
    await expect(manifest.add(entry)).rejects.toThrow(DownloadFolderError)
    expect(await readFile(elsewhere, 'utf8')).toBe('mine')
  })

  test('is refused if it is a folder', async () => {
    const folder = await testFolder()
    await mkdir(join(folder, manifestName))
    await expect(openManifest(folder)).rejects.toThrow(DownloadFolderError)
  })

  test('counts only regular files as stored certificates, not pipes or links', async () => {
    const folder = await testFolder()
    const manifest = await openManifest(folder)
    await manifest.add(entry)
    await writeFile(join(folder, 'b.pdf'), 'x')
    const file = join(folder, 'a.pdf')
    const isListed = async () => (await (await openManifest(folder)).findIntact('1')) !== null
    makePipe(file)
    expect(await isListed()).toBe(false)
    await rm(file)
    await symlink('b.pdf', file)
    expect(await isListed()).toBe(false)
    await rm(file)
    await writeFile(file, 'x')
    expect(await isListed()).toBe(true)
  })
})
