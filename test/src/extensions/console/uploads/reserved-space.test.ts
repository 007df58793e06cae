// Space for lists that arrive at the same time: together they leave the disk what must stay free, and one person alone
// cannot fill it.

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openUploads } from '#src/extensions/console/uploads/open-uploads.ts'
import { mostOfPerson, openUploadSpace } from '#src/extensions/console/uploads/reserved-space.ts'
import { keptFreeBytes } from '#src/platform/free-disk.ts'

const mebibyte = 1024 * 1024
const statuses = (settled: PromiseSettledResult<unknown>[]) =>
  settled.map((each) => (each.status === 'fulfilled' ? 'taken' : each.reason.status))

test('28 lists at once get what the disk has, less what the others have yet to write', async () => {
  let free = keptFreeBytes + 100 * mebibyte
  const space = openUploadSpace(
    async () => [],
    async () => free,
  )
  const reserve = (by: string) => space.reserve({ folder: '/', by, bytes: 30 * mebibyte })
  const all = await Promise.allSettled(Array.from({ length: 28 }, (_, at) => reserve(`person ${at}`)))
  expect(statuses(all)).toEqual(['taken', 'taken', 'taken', ...Array.from({ length: 25 }, () => 507)])
  const [first, second, third] = all.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []))
  // What is written is missing from the disk already, and is not counted twice.
  first?.wrote(20 * mebibyte)
  free -= 20 * mebibyte
  const small = () => space.reserve({ folder: '/', by: 'ada', bytes: 11 * mebibyte })
  await expect(small()).rejects.toMatchObject({ status: 507 })
  expect(await third?.isShort()).toBe(false)
  second?.[Symbol.dispose]()
  using _ = await small()
  free = keptFreeBytes - 1
  expect(await third?.isShort()).toBe(true)
})

test('one person has an end before the disk has, and others go on', async () => {
  const space = openUploadSpace(
    async (person) => (person === 'ada' ? [{ bytes: mostOfPerson.bytes - 10 }] : []),
    async () => Number.MAX_SAFE_INTEGER,
  )
  const reserve = (by: string, bytes: number) => space.reserve({ folder: '/', by, bytes })
  await expect(reserve('ada', 11)).rejects.toMatchObject({ status: 409 })
  using _six = await reserve('ada', 6)
  await expect(reserve('ada', 6)).rejects.toMatchObject({ status: 409 })
  const lists = await Promise.allSettled(Array.from({ length: mostOfPerson.lists + 1 }, () => reserve('grace', 1)))
  expect(statuses(lists)).toEqual([...Array.from({ length: mostOfPerson.lists }, () => 'taken'), 409])
})

test('a list counts for its person until its run has read it', async () => {
  const root = await mkdtemp(join(tmpdir(), 'credsync-space-'))
  onTestFinished(() => rm(root, { recursive: true }))
  const uploads = openUploads(root)
  const { id, folder } = await uploads.begin()
  await writeFile(join(folder, 'a.csv'), 'a')
  const what = { environment: 'development', pipeline: 'spring', name: 'a.csv', file: 'a.csv', sha256: '' }
  await uploads.keep({ id, ...what, bytes: mostOfPerson.bytes, by: 'ada', at: '2026-01-01T00:00:00.000Z' })
  const reserve = (by: string) => uploads.reserve({ folder: root, by, bytes: 1 })
  await expect(reserve('ada')).rejects.toMatchObject({ status: 409 })
  using _grace = await reserve('grace')
  await uploads.removeList(id)
  using _ada = await reserve('ada')
})
