// Files of finished runs, put away again and again.

import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { inboxFaults } from '#src/inbox/inbox-faults.ts'
import { putAway } from '#src/inbox/put-away.ts'

const name = '2026-11-21T02-00-00Z.1a2b3c4d.list.csv'

async function inboxWith(...files: string[]) {
  const folder = await mkdtemp(join(tmpdir(), 'credsync-inbox-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  await mkdir(join(folder, 'processing'))
  for (const file of files) await writeFile(join(folder, 'processing', file), file)
  return { folder, taken: join(folder, 'processing', name) }
}

test('a refused file goes to refused with its marker, and its reason beside it, however often it is put there', async () => {
  const { folder, taken } = await inboxWith(name, `${name}.done`)
  for (let time = 0; time < 3; time++)
    expect(await putAway(taken, 'refused', { sentence: 'It has no header.', marker: '.done' })).toEqual({
      path: join(folder, 'refused', name),
    })
  expect((await readdir(join(folder, 'refused'))).sort()).toEqual([name, `${name}.done`, `${name}.reason.txt`])
  expect(await readFile(join(folder, 'refused', name), 'utf8')).toBe(name)
  expect(await readFile(join(folder, 'refused', `${name}.reason.txt`), 'utf8')).toBe('It has no header.\n')
  expect(await readdir(join(folder, 'processing'))).toEqual([])
})

test('a kill between reason, marker and file is made good', async () => {
  const { folder, taken } = await inboxWith(name)
  await mkdir(join(folder, 'done'))
  await writeFile(join(folder, 'done', `${name}.reason.txt`), 'half')
  await writeFile(join(folder, 'done', `${name}.done`), '')
  await putAway(taken, 'done', { sentence: 'The whole reason.', marker: '.done' })
  expect((await readdir(join(folder, 'done'))).sort()).toEqual([name, `${name}.done`, `${name}.reason.txt`])
  expect(await readFile(join(folder, 'done', `${name}.reason.txt`), 'utf8')).toBe('The whole reason.\n')
})

test('a file that somebody moved is found nowhere, and one that was never taken is left alone', async () => {
  const { folder, taken } = await inboxWith()
  expect(await putAway(taken, 'refused', { sentence: 'Why.', marker: null })).toEqual({ path: null })
  expect(await readdir(join(folder, 'refused'))).toEqual([])
  await writeFile(join(folder, 'own.csv'), 'a')
  expect(await putAway(join(folder, 'own.csv'), 'done', { sentence: null, marker: null })).toEqual({ path: null })
  expect((await readdir(folder)).sort()).toEqual(['own.csv', 'processing', 'refused'])
})

test('an inbox that cannot be used is told with what to do', async () => {
  const { folder, taken } = await inboxWith(name)
  expect(await inboxFaults(folder)).toEqual([])
  expect((await inboxFaults(join(folder, 'nowhere')))[0]).toContain('is not there. Make it, or correct source.inbox')
  expect(await inboxFaults(taken)).toEqual([`${taken} is not a folder`])
  await writeFile(join(folder, 'done'), '')
  expect(await inboxFaults(folder)).toEqual([
    `${join(folder, 'done')} is not a folder, and files are to be put there. Rename it`,
  ])
})
