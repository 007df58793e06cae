// Writers of one file in one folder, at the same time and after a kill.

import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { writeTextSafely } from '#src/files/inbox/write-text-safely.ts'

async function openTestFolder() {
  const folder = await mkdtemp(join(tmpdir(), 'credsync-text-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return { folder, pathOf: (name: string) => join(folder, name) }
}

test('twenty concurrent writers all succeed, and the file has the text of one of them', async () => {
  const testFolder = await openTestFolder()
  const texts = Array.from({ length: 20 }, (_, n) => `${n}`.repeat(1_000))
  await Promise.all(texts.map((text) => writeTextSafely(testFolder, 'summary.txt', { text, mode: 0o600 })))
  expect(texts).toContain(await readFile(testFolder.pathOf('summary.txt'), 'utf8'))
  expect(await readdir(testFolder.folder)).toEqual(['summary.txt'])
})

test('a part file left by a killed writer does not block the next one', async () => {
  const testFolder = await openTestFolder()
  await writeTextSafely(testFolder, 'summary.txt', { text: 'first', mode: 0o600 })
  // Whatever name the writer gives its part file, the killed one may have used it.
  const parts: string[] = []
  const recordingFolder = {
    pathOf(name: string) {
      parts.push(name)
      return testFolder.pathOf(name)
    },
  }
  await writeTextSafely(recordingFolder, 'summary.txt', { text: 'second', mode: 0o600 })
  const [part = ''] = parts
  expect(part).toMatch(/\.part$/)
  await writeFile(testFolder.pathOf(part), 'half')
  await writeTextSafely(testFolder, 'summary.txt', { text: 'third', mode: 0o600 })
  expect(await readFile(testFolder.pathOf('summary.txt'), 'utf8')).toBe('third')
})
