// Moving the files of finished runs, again and again and after kills; and the faults of an inbox.

import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { inboxFaults } from '#src/files/inbox/inbox-faults.ts'
import { moveTakenFile } from '#src/files/inbox/move-taken-file.ts'

const name = '2026-11-21T02-00-00Z.1a2b3c4d.list.csv'

async function inboxWith(...files: string[]) {
  const folder = await mkdtemp(join(tmpdir(), 'credsync-inbox-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  await mkdir(join(folder, 'processing'))
  for (const file of files) await writeFile(join(folder, 'processing', file), file)
  return { folder, taken: join(folder, 'processing', name) }
}

test('a refused file is moved to `refused` with its marker and its reason, however often the move is repeated', async () => {
  const { folder, taken } = await inboxWith(name, `${name}.done`)
  for (let time = 0; time < 3; time++)
    expect(await moveTakenFile(taken, 'refused', { sentence: 'It has no header.', marker: '.done' })).toEqual({
      path: join(folder, 'refused', name),
    })
  expect((await readdir(join(folder, 'refused'))).sort()).toEqual([name, `${name}.done`, `${name}.reason.txt`])
  expect(await readFile(join(folder, 'refused', name), 'utf8')).toBe(name)
  expect(await readFile(join(folder, 'refused', `${name}.reason.txt`), 'utf8')).toBe('It has no header.\n')
  expect(await readdir(join(folder, 'processing'))).toEqual([])
})

test('a move that was killed between reason, marker and file is completed', async () => {
  const { folder, taken } = await inboxWith(name)
  await mkdir(join(folder, 'done'))
  await writeFile(join(folder, 'done', `${name}.reason.txt`), 'half')
  await writeFile(join(folder, 'done', `${name}.done`), '')
  await moveTakenFile(taken, 'done', { sentence: 'The whole reason.', marker: '.done' })
  expect((await readdir(join(folder, 'done'))).sort()).toEqual([name, `${name}.done`, `${name}.reason.txt`])
  expect(await readFile(join(folder, 'done', `${name}.reason.txt`), 'utf8')).toBe('The whole reason.\n')
})

test('folders with the names of the file, its marker or its reason are moved aside with their content', async () => {
  const { folder, taken } = await inboxWith(name, `${name}.done`)
  const names = [name, `${name}.done`, `${name}.reason.txt`]
  for (const each of names) await mkdir(join(folder, 'refused', each, 'content'), { recursive: true })
  await moveTakenFile(taken, 'refused', { sentence: 'Why.', marker: '.done' })
  const entries = await readdir(join(folder, 'refused'), { withFileTypes: true })
  expect(entries.flatMap((entry) => (entry.isFile() ? entry.name : [])).sort()).toEqual(names)
  const movedAside = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name)
  expect(movedAside.map((each) => each.replace(/\.[0-9a-f]{8}\.old$/, '')).sort()).toEqual(names)
  for (const each of movedAside) expect(await readdir(join(folder, 'refused', each))).toEqual(['content'])
})

test('the next writer deletes temporary files of writers that were killed an hour ago, and nothing else', async () => {
  const { folder, taken } = await inboxWith(name)
  const refused = join(folder, 'refused')
  await mkdir(refused)
  const part = (n: number) => `.0d9f6a3e-7c1b-4e2a-9f00-00000000000${n}.part`
  const keptNames = [part(2), part(3), part(4), '.list.part', 'x.part', `${part(1)}s`]
  for (const each of [part(1), part(2), ...keptNames.slice(3)]) await writeFile(join(refused, each), 'half')
  await mkdir(join(refused, part(3)))
  await symlink(taken, join(refused, part(4)))
  const longAgo = new Date(Date.now() - 2 * 3_600_000)
  for (const each of [part(1), part(3), ...keptNames.slice(3)]) await utimes(join(refused, each), longAgo, longAgo)
  await moveTakenFile(taken, 'refused', { sentence: 'Why.', marker: null })
  expect((await readdir(refused)).sort()).toEqual([...keptNames, name, `${name}.reason.txt`].sort())
})

test('a folder is cleaned at most once an hour, because it may contain years of results', async () => {
  const { folder, taken } = await inboxWith(name)
  const refused = join(folder, 'refused')
  await moveTakenFile(taken, 'refused', { sentence: 'Why.', marker: null })
  const part = '.0d9f6a3e-7c1b-4e2a-9f00-000000000001.part'
  await writeFile(join(refused, part), 'half')
  await utimes(join(refused, part), new Date(0), new Date(0))
  await moveTakenFile(taken, 'refused', { sentence: 'Why else.', marker: null })
  expect((await readdir(refused)).sort()).toEqual([part, name, `${name}.reason.txt`].sort())
  expect(await readFile(join(refused, `${name}.reason.txt`), 'utf8')).toBe('Why else.\n')
})

test('a new folder is cleaned even if it has the inode of a deleted one', async () => {
  const { folder, taken } = await inboxWith(name)
  const refused = join(folder, 'refused')
  await moveTakenFile(taken, 'refused', { sentence: 'Why.', marker: null })
  const { ino } = await stat(refused)
  // ext4 gives a freed inode number to the next folder. tmpfs never does, so the test is trivial there.
  for (let tries = 0; tries < 20; tries++) {
    await rm(refused, { recursive: true })
    await mkdir(refused)
    if ((await stat(refused)).ino === ino) break
  }
  const part = '.0d9f6a3e-7c1b-4e2a-9f00-000000000001.part'
  await writeFile(join(refused, part), 'half')
  await utimes(join(refused, part), new Date(0), new Date(0))
  await writeFile(taken, 'a')
  await moveTakenFile(taken, 'refused', { sentence: 'Why else.', marker: null })
  expect((await readdir(refused)).sort()).toEqual([name, `${name}.reason.txt`].sort())
})

test('a file that somebody moved has no path, and a file that was never taken stays', async () => {
  const { folder, taken } = await inboxWith()
  expect(await moveTakenFile(taken, 'refused', { sentence: 'Why.', marker: null })).toEqual({ path: null })
  expect(await readdir(join(folder, 'refused'))).toEqual([])
  await writeFile(join(folder, 'own.csv'), 'a')
  expect(await moveTakenFile(join(folder, 'own.csv'), 'done', { sentence: null, marker: null })).toEqual({ path: null })
  expect((await readdir(folder)).sort()).toEqual(['own.csv', 'processing', 'refused'])
})

test('an unusable inbox is reported with a remedy', async () => {
  const { folder, taken } = await inboxWith(name)
  expect(await inboxFaults(folder)).toEqual([])
  const missing = 'does not exist. Create it, or correct source.inbox'
  expect((await inboxFaults(join(folder, 'missing')))[0]?.sentence).toContain(missing)
  expect(await inboxFaults(taken)).toEqual([{ sentence: `${taken} is not a folder`, foreign: false }])
  await writeFile(join(folder, 'done'), '')
  const sentence = `${join(folder, 'done')} is not a folder, but the worker needs a folder of that name. Rename it`
  expect(await inboxFaults(folder)).toEqual([{ sentence, foreign: true }])
})
