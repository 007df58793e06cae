// An inbox on a real file system, its time moved by hand.

import { existsSync } from 'node:fs'
import { appendFile, mkdir, mkdtemp, readdir, readFile, rm, symlink, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { InboxError } from '#src/inbox/inbox-error.ts'
import { type InboxSettings, openInbox } from '#src/inbox/open-inbox.ts'
import { steppedClock } from '#test/support/clock.ts'

/** An inbox whose clock begins now, as the file system's does. */
async function opened(settings: Partial<InboxSettings> = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'credsync-inbox-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const clock = steppedClock(new Date())
  const inbox = openInbox({ folder, pattern: '*.csv', settleMs: 10_000, marker: null, ...settings }, clock)
  /** Last written so long ago. */
  const drop = async (name: string, { text = 'a', agoMs = 0 } = {}) => {
    await writeFile(join(folder, name), text)
    const at = new Date(clock.now().getTime() - agoMs)
    await utimes(join(folder, name), at, at)
  }
  return { folder, clock, inbox, drop }
}

describe('a look', () => {
  test('takes a file that has stayed the same between two looks far enough apart', async () => {
    const { inbox, drop, clock } = await opened()
    await drop('list.csv')
    expect(await inbox.look()).toEqual({ ready: [], unready: 1, left: [], strange: [] })
    await clock.advance(9_000)
    expect(await inbox.look()).toMatchObject({ ready: [], unready: 1 })
    await clock.advance(1_000)
    expect(await inbox.look()).toMatchObject({ ready: ['list.csv'], unready: 0 })
  })

  test('waits anew whenever the file has changed', async () => {
    const { folder, inbox, drop, clock } = await opened()
    // Its date is in the future, as when the clocks differ: only staying the same counts.
    await drop('list.csv', { agoMs: -3_600_000 })
    for (let look = 0; look < 3; look++) {
      expect(await inbox.look()).toMatchObject({ ready: [], unready: 1 })
      await appendFile(join(folder, 'list.csv'), 'more')
      const ahead = new Date(clock.now().getTime() + 3_600_000)
      await utimes(join(folder, 'list.csv'), ahead, ahead)
      await clock.advance(10_000)
    }
    expect(await inbox.look()).toMatchObject({ unready: 1 })
    await clock.advance(10_000)
    expect(await inbox.look()).toMatchObject({ ready: ['list.csv'] })
  })

  test('takes a file at first sight that was last written long enough ago, the oldest first', async () => {
    const { inbox, drop } = await opened()
    await drop('b.csv', { agoMs: 60_000 })
    await drop('a.csv', { agoMs: 20_000 })
    await drop('new.csv', { agoMs: 9_000 })
    expect(await inbox.look()).toEqual({ ready: ['b.csv', 'a.csv'], unready: 1, left: [], strange: [] })
  })

  test('sees another file of the same name as another file', async () => {
    const { folder, inbox, drop, clock } = await opened()
    await drop('list.csv')
    await inbox.look()
    await rm(join(folder, 'list.csv'))
    await inbox.look()
    await clock.advance(10_000)
    await drop('list.csv')
    expect(await inbox.look()).toMatchObject({ ready: [], unready: 1 })
  })

  test('wants the marker where one is asked for', async () => {
    const { folder, inbox, drop } = await opened({ marker: '.done', pattern: '*' })
    await drop('list.csv', { agoMs: 60_000 })
    expect(await inbox.look()).toMatchObject({ ready: [], unready: 1 })
    await drop('list.csv.done')
    expect(await inbox.look()).toMatchObject({ ready: ['list.csv'], unready: 0 })
    const taken = await inbox.take('list.csv')
    expect(await readdir(folder)).toEqual(['processing'])
    expect((await readdir(join(folder, 'processing'))).sort()).toEqual([
      basename(taken?.path ?? ''),
      `${basename(taken?.path ?? '')}.done`,
    ])
    expect(await inbox.taken()).toEqual([taken])
  })

  test('never takes folders, links and pipes, and says so once', async () => {
    const { folder, inbox, drop } = await opened()
    await mkdir(join(folder, 'folder.csv'))
    await drop('secret.txt', { agoMs: 60_000 })
    await symlink(join(folder, 'secret.txt'), join(folder, 'link.csv'))
    const first = await inbox.look()
    expect(first.strange.sort()).toEqual(['a folder', 'a link', 'another name'])
    expect(first.left.map(({ name, why }) => `${name} ${why}`).sort()).toEqual([
      'folder.csv a folder',
      'link.csv a link',
      'secret.txt another name',
    ])
    expect(await inbox.look()).toEqual({ ready: [], unready: 0, left: first.left, strange: [] })
    expect(await inbox.take('link.csv')).toBeNull()
    expect(existsSync(join(folder, 'processing'))).toBe(false)
  })

  test('does not mention what is still being written, markers, and folders for something else', async () => {
    const { folder, inbox, drop } = await opened({ marker: '.done' })
    await mkdir(join(folder, 'archive'))
    for (const name of ['.hidden', 'list.xlsx.part', '~$list.xlsx', 'old.csv.DONE']) await drop(name, { agoMs: 60_000 })
    expect(await inbox.look()).toEqual({ ready: [], unready: 0, left: [], strange: [] })
  })

  test('finds the marker in whatever letters it is written, and says which files wait for theirs', async () => {
    const { folder, inbox, drop } = await opened({ marker: '.done' })
    for (const name of ['ONE.CSV', 'two.csv', 'ONE.CSV.DONE']) await drop(name, { agoMs: 60_000 })
    const looked = await inbox.look()
    expect(looked).toMatchObject({ ready: ['ONE.CSV'], left: [{ name: 'two.csv', why: 'no marker' }] })
    const taken = await inbox.take('ONE.CSV')
    expect((await readdir(folder)).sort()).toEqual(['processing', 'two.csv'])
    expect(existsSync(`${taken?.path}.done`)).toBe(true)
  })

  test('says that the folder is away', async () => {
    const { folder, inbox } = await opened()
    await rm(folder, { recursive: true })
    const error = await inbox.look().catch((fault: unknown) => fault)
    expect(error).toBeInstanceOf(InboxError)
    expect(String(error)).toContain('it is not there (ENOENT)')
  })
})

describe('taking', () => {
  test('renames the file, byte for byte, and one of many callers gets it', async () => {
    const { folder, inbox, drop, clock } = await opened()
    const others = Array.from({ length: 5 }, () =>
      openInbox({ folder, pattern: '*.csv', settleMs: 10_000, marker: null }, clock),
    )
    await drop('list.csv', { text: 'e_mail\n', agoMs: 60_000 })
    const all = [inbox, ...others]
    await Promise.all(all.map((each) => each.look()))
    const taken = (await Promise.all(all.map((each) => each.take('list.csv')))).filter((file) => file !== null)
    expect(taken).toHaveLength(1)
    expect(taken[0]?.name).toBe('list.csv')
    expect(await readFile(taken[0]?.path ?? '', 'utf8')).toBe('e_mail\n')
    expect(await readdir(folder)).toEqual(['processing'])
  })

  test('leaves a file alone that grew after the look', async () => {
    const { folder, inbox, drop } = await opened()
    await drop('list.csv', { agoMs: 60_000 })
    expect((await inbox.look()).ready).toEqual(['list.csv'])
    await appendFile(join(folder, 'list.csv'), 'more')
    expect(await inbox.take('list.csv')).toBeNull()
    expect(await readdir(folder)).toEqual(['list.csv'])
  })

  test('gives every file a name of its own, though the same one comes again', async () => {
    const { inbox, drop } = await opened()
    const paths = new Set<string>()
    for (let night = 0; night < 20; night++) {
      await drop('list.csv', { agoMs: 60_000 })
      await inbox.look()
      paths.add((await inbox.take('list.csv'))?.path ?? '')
    }
    expect(paths.size).toBe(20)
  })

  test('brings a marker along that a kill left behind, and not that of the next file', async () => {
    const { folder, inbox, drop } = await opened({ marker: '.done' })
    await drop('list.csv', { agoMs: 60_000 })
    await drop('list.csv.done')
    await inbox.look()
    const taken = await inbox.take('list.csv')
    // As if the process had died between the two renames.
    await rm(`${taken?.path}.done`)
    await drop('list.csv.done')
    await drop('list.csv')
    expect(await inbox.taken()).toEqual([taken])
    expect((await readdir(folder)).sort()).toEqual(['list.csv', 'list.csv.done', 'processing'])
    await rm(join(folder, 'list.csv'))
    await inbox.taken()
    expect(await readdir(folder)).toEqual(['processing'])
    expect(existsSync(`${taken?.path}.done`)).toBe(true)
  })

  test('leaves in processing what somebody else put there', async () => {
    const { folder, inbox } = await opened()
    await mkdir(join(folder, 'processing'))
    await writeFile(join(folder, 'processing', 'by-hand.csv'), 'a')
    expect(await inbox.taken()).toEqual([])
  })
})
