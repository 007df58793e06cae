import { execFileSync } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { DownloadFolderError } from '#src/downloads/download-folder-error.ts'
import { type KeptFile, manifestName, openManifest } from '#src/downloads/manifest.ts'

// Of 'x'.
const sha256 = '2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881'
const kept: KeptFile = { id: '1', file: 'a.pdf', sha256, size: 1, contentType: '', fetchedAt: '2026-03-01T00:00:00Z' }

async function testFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'credsync-manifest-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

const makePipe = (path: string) => void execFileSync('mkfifo', [path])

describe.runIf(process.platform !== 'win32')('the list of a folder', () => {
  test('is refused at once where a pipe has its name, which would never end', async () => {
    const folder = await testFolder()
    makePipe(join(folder, manifestName))
    await expect(openManifest(folder)).rejects.toThrow(DownloadFolderError)
    await expect(openManifest(folder)).rejects.toThrow(/is not a plain file/)
  })

  test('is refused where a link has its name, and what the link leads to stays as it is', async () => {
    const folder = await testFolder()
    const elsewhere = join(await testFolder(), 'diary')
    await writeFile(elsewhere, 'mine')
    await symlink(elsewhere, join(folder, manifestName))
    await expect(openManifest(folder)).rejects.toThrow(DownloadFolderError)
    // Put there after the list was opened, it is not followed either.
    const other = await testFolder()
    const list = await openManifest(other)
    await symlink(elsewhere, join(other, manifestName))
    await expect(list.add(kept)).rejects.toThrow(DownloadFolderError)
    expect(await readFile(elsewhere, 'utf8')).toBe('mine')
  })

  test('is refused where a folder has its name', async () => {
    const folder = await testFolder()
    await mkdir(join(folder, manifestName))
    await expect(openManifest(folder)).rejects.toThrow(DownloadFolderError)
  })

  test('holds plain files alone: a pipe or a link of that name is nothing that was kept', async () => {
    const folder = await testFolder()
    const list = await openManifest(folder)
    await list.add(kept)
    await writeFile(join(folder, 'b.pdf'), 'x')
    const file = join(folder, 'a.pdf')
    const holds = async () => (await (await openManifest(folder)).holds('1')) !== null
    makePipe(file)
    expect(await holds()).toBe(false)
    await rm(file)
    await symlink('b.pdf', file)
    expect(await holds()).toBe(false)
    await rm(file)
    await writeFile(file, 'x')
    expect(await holds()).toBe(true)
  })
})
