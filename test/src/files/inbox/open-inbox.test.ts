// Scanning an inbox and taking files from it, on a real file system with a manual clock.

import { existsSync } from 'node:fs'
import { appendFile, mkdir, mkdtemp, readdir, readFile, rm, symlink, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { InboxError } from '#src/files/inbox/inbox-error.ts'
import { type InboxOptions, openInbox } from '#src/files/inbox/open-inbox.ts'
import { steppedClock } from '#test/support/clock.ts'

/** Opens an inbox in a new folder, with a manual clock that starts at the file system's time. */
async function openTestInbox(settings: Partial<InboxOptions> = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'credsync-inbox-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const clock = steppedClock(new Date())
  const inbox = openInbox({ folder, pattern: '*.csv', settleMs: 10_000, marker: null, ...settings }, clock)
  /** Writes a file whose last change was `agoMs` ago. */
  const drop = async (name: string, { text = 'a', agoMs = 0 } = {}) => {
    await writeFile(join(folder, name), text)
    const at = new Date(clock.now().getTime() - agoMs)
    await utimes(join(folder, name), at, at)
  }
  return { folder, clock, inbox, drop }
}

describe('a scan', () => {
  test('takes a file that did not change between two scans far enough apart', async () => {
    const { inbox, drop, clock } = await openTestInbox()
    await drop('list.csv')
    expect(await inbox.scan()).toEqual({ ready: [], unready: 1, notTaken: [], newReasons: [] })
    await clock.advance(9_000)
    expect(await inbox.scan()).toMatchObject({ ready: [], unready: 1 })
    await clock.advance(1_000)
    expect(await inbox.scan()).toMatchObject({ ready: ['list.csv'], unready: 0 })
  })

  test('starts waiting again whenever the file has changed', async () => {
    const { folder, inbox, drop, clock } = await openTestInbox()
    // The file's time is in the future, as if clocks differed, so only staying unchanged counts.
    await drop('list.csv', { agoMs: -3_600_000 })
    for (let round = 0; round < 3; round++) {
      expect(await inbox.scan()).toMatchObject({ ready: [], unready: 1 })
      await appendFile(join(folder, 'list.csv'), 'more')
      const ahead = new Date(clock.now().getTime() + 3_600_000)
      await utimes(join(folder, 'list.csv'), ahead, ahead)
      await clock.advance(10_000)
    }
    expect(await inbox.scan()).toMatchObject({ unready: 1 })
    await clock.advance(10_000)
    expect(await inbox.scan()).toMatchObject({ ready: ['list.csv'] })
  })

  test('takes a file in the first scan if it is old enough, oldest first', async () => {
    const { inbox, drop } = await openTestInbox()
    await drop('b.csv', { agoMs: 60_000 })
    await drop('a.csv', { agoMs: 20_000 })
    await drop('new.csv', { agoMs: 9_000 })
    expect(await inbox.scan()).toEqual({ ready: ['b.csv', 'a.csv'], unready: 1, notTaken: [], newReasons: [] })
  })

  test('treats another file of the same name as a different file', async () => {
    const { folder, inbox, drop, clock } = await openTestInbox()
    await drop('list.csv')
    await inbox.scan()
    await rm(join(folder, 'list.csv'))
    await inbox.scan()
    await clock.advance(10_000)
    await drop('list.csv')
    expect(await inbox.scan()).toMatchObject({ ready: [], unready: 1 })
  })

  test('requires the marker if one is configured', async () => {
    const { folder, inbox, drop } = await openTestInbox({ marker: '.done', pattern: '*' })
    await drop('list.csv', { agoMs: 60_000 })
    expect(await inbox.scan()).toMatchObject({ ready: [], unready: 1 })
    await drop('list.csv.done')
    expect(await inbox.scan()).toMatchObject({ ready: ['list.csv'], unready: 0 })
    const taken = await inbox.take('list.csv')
    expect(await readdir(folder)).toEqual(['processing'])
    expect((await readdir(join(folder, 'processing'))).sort()).toEqual([
      basename(taken?.path ?? ''),
      `${basename(taken?.path ?? '')}.done`,
    ])
    expect(await inbox.listTaken()).toEqual([taken])
  })

  test('never takes folders, links and pipes, and reports them once', async () => {
    const { folder, inbox, drop } = await openTestInbox()
    await mkdir(join(folder, 'folder.csv'))
    await drop('secret.txt', { agoMs: 60_000 })
    await symlink(join(folder, 'secret.txt'), join(folder, 'link.csv'))
    const first = await inbox.scan()
    expect(first.newReasons.sort()).toEqual(['a folder', 'a link', 'another name'])
    expect(first.notTaken.map(({ name, why }) => `${name} ${why}`).sort()).toEqual([
      'folder.csv a folder',
      'link.csv a link',
      'secret.txt another name',
    ])
    expect(await inbox.scan()).toEqual({ ready: [], unready: 0, notTaken: first.notTaken, newReasons: [] })
    expect(await inbox.take('link.csv')).toBeNull()
    expect(existsSync(join(folder, 'processing'))).toBe(false)
  })

  test('does not report unfinished files, markers and unrelated folders', async () => {
    const { folder, inbox, drop } = await openTestInbox({ marker: '.done' })
    await mkdir(join(folder, 'archive'))
    for (const name of ['.hidden', 'list.xlsx.part', '~$list.xlsx', 'old.csv.DONE']) await drop(name, { agoMs: 60_000 })
    expect(await inbox.scan()).toEqual({ ready: [], unready: 0, notTaken: [], newReasons: [] })
  })

  test('ignores the case of marker names, and reports which files have no marker yet', async () => {
    const { folder, inbox, drop } = await openTestInbox({ marker: '.done' })
    for (const name of ['ONE.CSV', 'two.csv', 'ONE.CSV.DONE']) await drop(name, { agoMs: 60_000 })
    const reading = await inbox.scan()
    expect(reading).toMatchObject({ ready: ['ONE.CSV'], notTaken: [{ name: 'two.csv', why: 'no marker' }] })
    const taken = await inbox.take('ONE.CSV')
    expect((await readdir(folder)).sort()).toEqual(['processing', 'two.csv'])
    expect(existsSync(`${taken?.path}.done`)).toBe(true)
  })

  test('throws an error if the folder does not exist', async () => {
    const { folder, inbox } = await openTestInbox()
    await rm(folder, { recursive: true })
    const error = await inbox.scan().catch((fault: unknown) => fault)
    expect(error).toBeInstanceOf(InboxError)
    expect(String(error)).toContain('it does not exist (ENOENT)')
  })
})

describe('taking', () => {
  test('renames the file unchanged, and only one of many callers gets it', async () => {
    const { folder, inbox, drop, clock } = await openTestInbox()
    const others = Array.from({ length: 5 }, () =>
      openInbox({ folder, pattern: '*.csv', settleMs: 10_000, marker: null }, clock),
    )
    await drop('list.csv', { text: 'e_mail\n', agoMs: 60_000 })
    const all = [inbox, ...others]
    await Promise.all(all.map((entry) => entry.scan()))
    const taken = (await Promise.all(all.map((entry) => entry.take('list.csv')))).filter((file) => file !== null)
    expect(taken).toHaveLength(1)
    expect(taken[0]?.name).toBe('list.csv')
    expect(await readFile(taken[0]?.path ?? '', 'utf8')).toBe('e_mail\n')
    expect(await readdir(folder)).toEqual(['processing'])
  })

  test('leaves a file that grew after the scan', async () => {
    const { folder, inbox, drop } = await openTestInbox()
    await drop('list.csv', { agoMs: 60_000 })
    expect((await inbox.scan()).ready).toEqual(['list.csv'])
    await appendFile(join(folder, 'list.csv'), 'more')
    expect(await inbox.take('list.csv')).toBeNull()
    expect(await readdir(folder)).toEqual(['list.csv'])
  })

  test('gives every file a unique name, even if the same name arrives again', async () => {
    const { inbox, drop } = await openTestInbox()
    const paths = new Set<string>()
    for (let night = 0; night < 20; night++) {
      await drop('list.csv', { agoMs: 60_000 })
      await inbox.scan()
      paths.add((await inbox.take('list.csv'))?.path ?? '')
    }
    expect(paths.size).toBe(20)
  })

  test('also moves a marker that a kill left behind, but not the marker of the next file', async () => {
    const { folder, inbox, drop } = await openTestInbox({ marker: '.done' })
    await drop('list.csv', { agoMs: 60_000 })
    await drop('list.csv.done')
    await inbox.scan()
    const taken = await inbox.take('list.csv')
    // The state that a kill between the two renames leaves.
    await rm(`${taken?.path}.done`)
    await drop('list.csv.done')
    await drop('list.csv')
    expect(await inbox.listTaken()).toEqual([taken])
    expect((await readdir(folder)).sort()).toEqual(['list.csv', 'list.csv.done', 'processing'])
    await rm(join(folder, 'list.csv'))
    await inbox.listTaken()
    expect(await readdir(folder)).toEqual(['processing'])
    expect(existsSync(`${taken?.path}.done`)).toBe(true)
  })

  test('ignores files in processing that it did not take', async () => {
    const { folder, inbox } = await openTestInbox()
    await mkdir(join(folder, 'processing'))
    await writeFile(join(folder, 'processing', 'by-hand.csv'), 'a')
    expect(await inbox.listTaken()).toEqual([])
  })
})
