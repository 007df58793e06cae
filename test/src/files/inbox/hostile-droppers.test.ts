// Attacks on an inbox by other accounts that may write to it, with real links, pipes, sockets, hard links and replaced
// files.

import { execFileSync } from 'node:child_process'
import { existsSync, renameSync, writeFileSync } from 'node:fs'
import {
  chmod,
  link,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
  truncate,
  utimes,
  writeFile,
} from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { inboxFaults } from '#src/files/inbox/inbox-faults.ts'
import { moveTakenFile } from '#src/files/inbox/move-taken-file.ts'
import { openInbox } from '#src/files/inbox/open-inbox.ts'
import { foreignFolderProblem, openWorkerFolder } from '#src/files/inbox/worker-folder.ts'
import { hashUntrusted, openSubmittedFile } from '#src/files/tables/hash-file.ts'
import { openSourceFile } from '#src/files/tables/source-file.ts'
import { openTableWriter } from '#src/files/tables/table-writer.ts'
import { steppedClock } from '#test/support/clock.ts'

const taken = '2026-11-21T02-00-00Z.1a2b3c4d.list.csv'
const folders = ['processing', 'done', 'refused', 'outbox'] as const

async function openHostileInbox() {
  const root = await mkdtemp(join(tmpdir(), 'credsync-hostile-'))
  onTestFinished(() => rm(root, { recursive: true, force: true }))
  const folder = join(root, 'inbox')
  const elsewhere = join(root, 'elsewhere')
  for (const each of [folder, elsewhere]) await mkdir(each)
  const secret = join(elsewhere, taken)
  await writeFile(secret, 'secret\n')
  const inbox = openInbox({ folder, pattern: '*.csv', settleMs: 0, marker: null }, steppedClock())
  async function drop(name: string, text = 'e_mail\n') {
    await writeFile(join(folder, name), text)
    await utimes(join(folder, name), new Date(0), new Date(0))
  }
  return { folder, elsewhere, secret, inbox, drop }
}

describe('a sub-folder', () => {
  test.each(folders)('%s that is a link blocks the inbox and is reported by check', async (name) => {
    const { folder, elsewhere, inbox } = await openHostileInbox()
    await symlink(elsewhere, join(folder, name))
    const words = `${join(folder, name)} is a link, and the worker would read and write the folder that it points to. Remove the link`
    await expect(inbox.scan()).rejects.toThrow(words)
    expect(await inboxFaults(folder)).toEqual([{ sentence: expect.stringContaining(words), foreign: true }])
    await expect(openWorkerFolder(folder, name)).rejects.toThrow(words)
  })

  test('that is a link is neither read nor written by any method', async () => {
    const { folder, elsewhere, inbox } = await openHostileInbox()
    for (const name of folders) await symlink(elsewhere, join(folder, name))
    await expect(inbox.listTaken()).rejects.toThrow('is a link')
    await expect(inbox.writeNotTaken('a page\n')).rejects.toThrow('is a link')
    await expect(inbox.writeNotTaken(null)).rejects.toThrow('is a link')
    await expect(
      moveTakenFile(join(folder, 'processing', taken), 'refused', { sentence: 'Why.', marker: null }),
    ).rejects.toThrow('is a link')
    expect(await readdir(elsewhere)).toEqual([taken])
  })

  test('that belongs to another account is refused, unless that account is root', async () => {
    const { folder } = await openHostileInbox()
    const found = await stat(folder)
    const account = found.uid
    expect(foreignFolderProblem(folder, found, account)).toBeNull()
    expect(foreignFolderProblem(folder, found, undefined)).toBeNull()
    const foreignStats = Object.assign(Object.create(found), { uid: account + 1 })
    expect(foreignFolderProblem(folder, foreignStats, account)).toContain(
      `belongs to account ${account + 1} and not to this one (${account})`,
    )
    const rootStats = Object.assign(Object.create(found), { uid: 0 })
    expect(foreignFolderProblem(folder, rootStats, 1_000)).toBeNull()
  })

  test('is written where it was opened, even if it has been replaced since', async () => {
    const { folder, elsewhere } = await openHostileInbox()
    await using outbox = await openWorkerFolder(folder, 'outbox')
    await rename(join(folder, 'outbox'), join(folder, 'away'))
    await symlink(elsewhere, join(folder, 'outbox'))
    await writeFile(outbox.pathOf('page.txt'), 'a page\n').catch(() => {})
    // On systems where a folder cannot be used through its descriptor, it is only checked before each use.
    if (process.platform === 'linux') expect(await readdir(elsewhere)).toEqual([taken])
  })

  test('`processing` is not writable by others although the inbox is, even if an earlier version created it', async () => {
    const { folder, inbox } = await openHostileInbox()
    await chmod(folder, 0o2770)
    await mkdir(join(folder, 'processing'))
    await chmod(join(folder, 'processing'), 0o770)
    await inbox.listTaken()
    expect((await stat(join(folder, 'processing'))).mode & 0o022).toBe(0)
    expect(await readdir(folder)).toEqual(['processing'])
  })
})

describe('an entry that is not a regular file', () => {
  test('is reported and not taken, and blocks nothing', async () => {
    const { folder, secret, inbox } = await openHostileInbox()
    execFileSync('mkfifo', [join(folder, 'pipe.csv')])
    await symlink(secret, join(folder, 'link.csv'))
    await link(secret, join(folder, 'hard.csv'))
    const server = createServer().listen(join(folder, 'socket.csv'))
    onTestFinished(() => void server.close())
    await new Promise((ready) => server.once('listening', ready))
    const { ready, notTaken } = await inbox.scan()
    expect(ready).toEqual([])
    expect(notTaken.map(({ name, why }) => `${name}: ${why}`).sort()).toEqual([
      'hard.csv: two names',
      'link.csv: a link',
      'pipe.csv: no file',
      'socket.csv: no file',
    ])
  })

  test.each(['a link', 'a pipe', 'a hard link', 'another file'])(
    'is not taken if %s replaces it after the scan',
    async (replacement) => {
      const { folder, secret, inbox, drop } = await openHostileInbox()
      await drop('list.csv')
      expect((await inbox.scan()).ready).toEqual(['list.csv'])
      const path = join(folder, 'list.csv')
      await rm(path)
      if (replacement === 'a link') await symlink(secret, path)
      if (replacement === 'a pipe') execFileSync('mkfifo', [path])
      if (replacement === 'a hard link') await link(secret, path)
      if (replacement === 'another file') await drop('list.csv', 'others\n')
      expect(await inbox.take('list.csv')).toBeNull()
      expect(await readdir(folder)).toEqual(['list.csv'])
    },
  )

  test('is moved to `refused` if it replaces a file between the check and the rename', async () => {
    const { folder, inbox, drop } = await openHostileInbox()
    await drop('list.csv')
    expect((await inbox.scan()).ready).toEqual(['list.csv'])
    const taking = inbox.take('list.csv')
    // `processing` is created and checked between the check of the file and its rename.
    while (!existsSync(join(folder, 'processing'))) await new Promise((next) => setImmediate(next))
    writeFileSync(join(folder, 'other'), 'e_mail\n')
    renameSync(join(folder, 'other'), join(folder, 'list.csv'))
    expect(await taking).toBeNull()
    expect(await readdir(join(folder, 'processing'))).toEqual([])
    const [file = '', reason = ''] = (await readdir(join(folder, 'refused'))).sort()
    expect(reason).toBe(`${file}.reason.txt`)
    expect(await readFile(join(folder, 'refused', reason), 'utf8')).toContain('This file replaced another file')
  })

  test('is not read in `processing` either', async () => {
    const { elsewhere, secret } = await openHostileInbox()
    execFileSync('mkfifo', [join(elsewhere, 'pipe.csv')])
    await symlink(secret, join(elsewhere, 'link.csv'))
    await expect(hashUntrusted(join(elsewhere, 'pipe.csv'))).rejects.toThrow('This is a pipe or a device, not a file.')
    await expect(hashUntrusted(join(elsewhere, 'link.csv'))).rejects.toThrow('This is a link, not a file.')
    await expect(hashUntrusted('/dev/zero')).rejects.toThrow('This is a pipe or a device')
    await link(secret, join(elsewhere, 'hard.csv'))
    await expect(hashUntrusted(join(elsewhere, 'hard.csv'))).rejects.toThrow('a hard link')
    await expect(openSubmittedFile(join(elsewhere, 'link.csv'))).rejects.toThrow('changed after it was submitted')
  })
})

test('a file of more than 2 GB is not read', async () => {
  const { elsewhere } = await openHostileInbox()
  const path = join(elsewhere, 'large.csv')
  await writeFile(path, '')
  // A sparse file, which takes no disk space.
  await truncate(path, 2 * 1024 ** 3 + 1)
  await expect(hashUntrusted(path)).rejects.toThrow('larger than any list')
})

test('the hash is that of the opened file, even if another file replaces it', async () => {
  const { elsewhere, secret } = await openHostileInbox()
  await using file = await openSourceFile(secret, 'refused')
  const before = await file.sha256()
  await writeFile(join(elsewhere, 'other'), 'other\n')
  await rename(join(elsewhere, 'other'), secret)
  expect(await file.sha256()).toBe(before)
})

describe('a file that the worker writes replaces a link and leaves its target unchanged', () => {
  test('when it writes a reason', async () => {
    const { folder, secret, inbox } = await openHostileInbox()
    await inbox.listTaken()
    await writeFile(join(folder, 'processing', taken), 'a')
    await mkdir(join(folder, 'refused'))
    await symlink(secret, join(folder, 'refused', `${taken}.reason.txt`))
    await moveTakenFile(join(folder, 'processing', taken), 'refused', { sentence: 'Why.', marker: null })
    expect(await readFile(secret, 'utf8')).toBe('secret\n')
    expect(await readFile(join(folder, 'refused', `${taken}.reason.txt`), 'utf8')).toBe('Why.\n')
    expect((await readdir(join(folder, 'refused'))).sort()).toEqual([taken, `${taken}.reason.txt`])
  })

  test('when it writes NOT-TAKEN.txt, also in place of a pipe', async () => {
    const { folder, secret, inbox } = await openHostileInbox()
    const page = join(folder, 'outbox', 'NOT-TAKEN.txt')
    await mkdir(join(folder, 'outbox'))
    for (const trap of [() => symlink(secret, page), async () => void execFileSync('mkfifo', [page])]) {
      await rm(page, { force: true })
      await trap()
      await inbox.writeNotTaken('As of now\nlist.xls\n')
      expect((await lstat(page)).isFile()).toBe(true)
    }
    expect(await readFile(secret, 'utf8')).toBe('secret\n')
  })

  test('when it writes a table, under a temporary name that cannot be predicted', async () => {
    const { folder, secret } = await openHostileInbox()
    const path = join(folder, 'list.results.csv')
    for (const name of [path, `${path}.part`]) await symlink(secret, name)
    await writeFile(`${path}.0123abcd.part`, 'left by a kill')
    const writer = await openTableWriter(path, { format: 'csv', header: ['e_mail'] })
    expect((await readdir(folder)).filter((name) => /\.[0-9a-f]{8}\.part$/.test(name))).toHaveLength(1)
    await writer.close()
    expect((await lstat(path)).isFile()).toBe(true)
    expect(await readdir(folder)).toEqual([basename(path)])
    expect(await readFile(secret, 'utf8')).toBe('secret\n')
  })
})
