// The file that lists erasures outside the ledger: what is appended, and what a kill may leave in it.

import { appendFile, mkdtemp, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { erasuresFile, openErasuresFile } from '#src/extensions/privacy/erasures-file.ts'
import type { RecordedErasure } from '#src/extensions/privacy/ledger/recorded-erasures.ts'
import { growth, linear } from '#test/support/cpu-growth.ts'

const uuid = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`

const anErasure = (number: number): RecordedErasure => ({
  ...{ erasure: uuid(number), ledger: uuid(99), environment: 'development', at: '2026-05-06T07:08:09.010Z' },
  ...{ revokes: false, releases: false, issuances: [{ course: uuid(7), key: 'a0b1' }], rows: [] },
  completions: [{ system: 'campus', pipeline: 'spring', course: 'FIRE-1', learner: 'forgotten:a0', at: '2026-05-06' }],
})

async function openFolder() {
  const folder = await mkdtemp(join(tmpdir(), 'credsync-erasures-'))
  return {
    file: openErasuresFile(folder, async () => {}),
    path: erasuresFile(folder),
    text: () => readFile(erasuresFile(folder), 'utf8'),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true }),
  }
}

describe('the file of erasures', () => {
  test('has one line for each erasure, however often it is appended, readable by its owner only', async () => {
    await using folder = await openFolder()
    const { file } = folder
    expect(await file.read()).toEqual({ erasures: [], damaged: [], isCutShort: false })
    await file.append([anErasure(1)])
    await file.append([anErasure(1), anErasure(2)])
    await file.append([anErasure(2)])
    expect(await file.read()).toEqual({ erasures: [anErasure(1), anErasure(2)], damaged: [], isCutShort: false })
    expect((await folder.text()).split('\n')).toHaveLength(3)
    expect((await stat(folder.path)).mode & 0o777).toBe(0o600)
  })

  test('is whole again after a kill that cut a line short at any byte', async () => {
    await using folder = await openFolder()
    const { file } = folder
    await file.append([anErasure(1)])
    const first = (await folder.text()).length
    await file.append([anErasure(2)])
    const whole = (await folder.text()).length
    for (let length = first + 1; length < whole - 1; length += 7) {
      await truncate(folder.path, length)
      expect(await file.read()).toEqual({ erasures: [anErasure(1)], damaged: [], isCutShort: true })
      await file.append([anErasure(2)])
      expect(await file.read()).toEqual({ erasures: [anErasure(1), anErasure(2)], damaged: [], isCutShort: false })
      await writeFile(
        folder.path,
        `${(await folder.text())
          .split('\n')
          .filter((line) => line.endsWith('}]}'))
          .join('\n')}\n`,
      )
    }
    // Only the line break is missing.
    await truncate(folder.path, whole - 1)
    await file.append([anErasure(3)])
    expect((await file.read()).erasures).toHaveLength(3)
  })

  test('costs twice as much to read with twice as many lines', async () => {
    const folders = [await openFolder(), await openFolder()] as const
    for (const [index, { path }] of folders.entries()) {
      const lines = Array.from({ length: index === 0 ? 750 : 3_000 }, (_, n) => JSON.stringify(anErasure(n)))
      await writeFile(path, `${lines.join('\n')}\n`)
    }
    expect(await growth((times) => folders[times === 1 ? 0 : 1].file.read())).toBeLessThan(linear)
    for (const folder of folders) await folder[Symbol.asyncDispose]()
  }, 30_000)

  test('names lines that nothing explains, and that cannot be read', async () => {
    await using folder = await openFolder()
    await folder.file.append([anErasure(1)])
    await appendFile(folder.path, `no JSON\n{"erasure":"${uuid(5)}"}\n`)
    await folder.file.append([anErasure(2)])
    expect(await folder.file.read()).toMatchObject({ damaged: [2, 3], isCutShort: false })
  })
})
