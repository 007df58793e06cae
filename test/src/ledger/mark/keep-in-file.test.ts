// The mark in a file, raised by many calls at once.

import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { HighWaterMark } from '#src/domain/credential/high-water-mark.ts'
import { keepInFile, markFile } from '#src/ledger/mark/keep-in-file.ts'

const ledger = '6f1d2f4e-5b0a-4d1c-9c2e-0a1b2c3d4e5f'

function aMark(number: number, part: Partial<HighWaterMark> = {}): HighWaterMark {
  const at = new Date(number * 1_000).toISOString()
  return {
    ledger,
    environment: 'development',
    service: 'https://s',
    era: 0,
    number,
    token: `t${number}`,
    at,
    system: null,
    ...part,
  }
}

async function openFolder() {
  const folder = await mkdtemp(join(tmpdir(), 'credsync-mark-'))
  let writes = 0
  return {
    keeper: keepInFile(folder, async () => void writes++),
    writes: () => writes,
    stored: async () => JSON.parse(await readFile(markFile(folder), 'utf8')).marks as HighWaterMark[],
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true }),
  }
}

test('calls that are under way together share a write, and each learns which mark was before its own', async () => {
  await using file = await openFolder()
  const before = await Promise.all([1, 2, 3, 4, 5].map((number) => file.keeper.raise(aMark(number))))
  expect(before.map(({ marks }) => marks.map((mark) => mark.token))).toEqual([[], ['t1'], ['t2'], ['t3'], ['t4']])
  expect(await file.stored()).toEqual([aMark(5)])
  expect(file.writes()).toBe(1)
})

test('a call that comes while the file is being written gets a write of its own', async () => {
  await using file = await openFolder()
  const first = file.keeper.raise(aMark(1))
  await expect.poll(file.writes).toBe(1)
  const second = file.keeper.raise(aMark(2))
  expect((await first).marks).toEqual([])
  expect((await second).marks).toEqual([aMark(1)])
  expect(await file.stored()).toEqual([aMark(2)])
})

test('the highest mark remains, in whatever order they come, and those of other ledgers beside it', async () => {
  await using file = await openFolder()
  const other = aMark(9, { ledger: '00000000-0000-4000-8000-000000000000' })
  await Promise.all([aMark(2), other, aMark(3), aMark(1)].map((mark) => file.keeper.raise(mark)))
  expect(await file.stored()).toEqual([other, aMark(3)])
  await file.keeper.raise(aMark(3))
  expect(file.writes()).toBe(1)
})

test('a decision of an operator replaces what was raised before it, and nothing that is raised after it', async () => {
  await using file = await openFolder()
  const decision = aMark(2, { era: 1 })
  await Promise.all([file.keeper.raise(aMark(7)), file.keeper.put(decision)])
  expect(await file.stored()).toEqual([decision])
  await Promise.all([file.keeper.raise(aMark(3)), file.keeper.put(decision), file.keeper.raise(aMark(3, { era: 1 }))])
  expect(await file.stored()).toEqual([aMark(3, { era: 1 })])
})

test('if the file cannot be written, every call of the group learns it', async () => {
  const keeper = keepInFile(join(tmpdir(), 'credsync-mark-missing'), async () => {
    throw new Error('no folder')
  })
  const raised = await Promise.allSettled([1, 2].map((number) => keeper.raise(aMark(number))))
  expect(raised.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
})
