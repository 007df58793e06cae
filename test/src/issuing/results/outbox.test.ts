// Where results are written and with which permissions, in real folders.

import { chmod, mkdir, mkdtemp, readdir, readFile, readlink, rm, stat, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import type { PipelineSettings } from '#config/pipeline-settings.ts'
import { openInboxes } from '#src/files/inbox/open-inboxes.ts'
import { openOutbox, type ReportedRun } from '#src/issuing/results/outbox.ts'
import { systemClock } from '#src/platform/time/clock.ts'

const table = { kind: 'results' as const, format: 'csv' as const, header: ['e_mail'] }
const first = 'aaaaaaaa-0000-4000-8000-000000000000'

/** The outbox of a pipeline whose inbox can be read and written by its group. */
async function openTestOutbox() {
  const root = await mkdtemp(join(tmpdir(), 'credsync-outbox-'))
  onTestFinished(() => rm(root, { recursive: true, force: true }))
  const inbox = join(root, 'inbox')
  await mkdir(inbox)
  await chmod(inbox, 0o770)
  const linked = join(root, 'linked')
  await symlink(inbox, linked)
  const source = { inbox: linked, pattern: '*', schedule: '1m', settle: '10s' }
  const inboxes = openInboxes(
    { spring: { source } } as Record<string, object> as Record<string, PipelineSettings>,
    systemClock,
  )
  const outbox = openOutbox(join(root, 'data'), inboxes)
  const aRun = (sourcePath: string, id = first): ReportedRun => ({
    id,
    pipeline: 'spring',
    sourceName: '../p.csv',
    sourcePath,
  })
  const write = async (run: ReportedRun) => {
    const writer = await outbox.open(run, table)
    await writer.close()
    return writer.path
  }
  return { inbox, data: join(root, 'data/outbox'), outbox, aRun, write }
}

const modeOf = async (path: string) => (await stat(path)).mode & 0o777

describe('the outbox', () => {
  beforeEach(() => {
    const before = process.umask(0o002)
    return () => void process.umask(before)
  })

  test('is a folder in the data directory with access for its owner only, and keeps the results of two runs of a file apart', async () => {
    const { data, aRun, write } = await openTestOutbox()
    const second = 'bbbbbbbb-0000-4000-8000-000000000000'
    const paths = [await write(aRun('/lists/p.csv')), await write(aRun('/lists/p.csv', second))]
    expect(paths).toEqual([join(data, 'p.aaaaaaaa.results.csv'), join(data, 'p.bbbbbbbb.results.csv')])
    expect([await modeOf(data), await modeOf(paths[0] ?? '')]).toEqual([0o700, 0o600])
  })

  test.each(['processing', 'done', 'refused'])(
    'for a file in the folder %s of its inbox is a folder beside that folder, with the permissions of the inbox',
    async (folder) => {
      const { inbox, data, aRun, write } = await openTestOutbox()
      const path = await write(aRun(join(inbox, folder, 'p.csv')))
      expect(path).toBe(join(inbox, 'outbox', 'p.aaaaaaaa.results.csv'))
      expect([await modeOf(dirname(path)), await modeOf(path)]).toEqual([0o770, 0o660])
      await expect(readdir(data)).rejects.toThrow('ENOENT')
    },
  )

  test('for a file in any other folder called processing is the one in the data directory', async () => {
    const { inbox, data, aRun, write } = await openTestOutbox()
    expect(dirname(await write(aRun('/lists/processing/p.csv')))).toBe(data)
    expect(dirname(await write({ ...aRun(join(inbox, 'done/p.csv')), pipeline: 'autumn' }))).toBe(data)
  })

  test('is not created while the inbox is unavailable, because the drive would hide it once it is mounted again', async () => {
    const { inbox, aRun, write } = await openTestOutbox()
    await rm(inbox, { recursive: true })
    await expect(write(aRun(join(inbox, 'done/p.csv')))).rejects.toThrow('cannot be used: it does not exist (ENOENT)')
    await expect(stat(inbox)).rejects.toThrow('ENOENT')
  })

  test('has one complete summary for a run, which is the newest', async () => {
    const { inbox, outbox, aRun } = await openTestOutbox()
    const run = aRun(join(inbox, 'processing/p.csv'))
    await outbox.summarize(run, 'old\n')
    await outbox.summarize(run, 'new\n')
    expect(await readdir(join(inbox, 'outbox'))).toEqual(['p.aaaaaaaa.summary.txt'])
    const path = join(inbox, 'outbox/p.aaaaaaaa.summary.txt')
    expect([await readFile(path, 'utf8'), await modeOf(path)]).toEqual(['new\n', 0o660])
  })

  test('has each kind of table under its own name, in the format and with the separator of the run', async () => {
    const { data, outbox, aRun } = await openTestOutbox()
    const kinds = ['results', 'invalid', 'waiting'] as const
    for (const kind of kinds) {
      const header = ['e_mail', 'grade']
      const writer = await outbox.open(aRun('/lists/p.csv'), { kind, format: 'csv', separator: ';', header })
      await writer.write(['ada@example.org', kind])
      await writer.close()
    }
    const names = kinds.map((kind) => `p.aaaaaaaa.${kind}.csv`)
    expect((await readdir(data)).sort()).toEqual(names.toSorted())
    for (const [index, name] of names.entries())
      expect((await readFile(join(data, name), 'utf8')).replace(/^\ufeff/, '')).toBe(
        `e_mail;grade\r\nada@example.org;${kinds[index]}\r\n`,
      )
    const workbook = await outbox.open(aRun('/lists/p.csv'), { kind: 'results', format: 'xlsx', header: ['e_mail'] })
    await workbook.close()
    expect(workbook.path).toBe(join(data, 'p.aaaaaaaa.results.xlsx'))
    expect((await readFile(workbook.path)).subarray(0, 2).toString()).toBe('PK')
  })

  test.skipIf(process.platform !== 'linux')('is not kept open once its tables are closed or abandoned', async () => {
    const { inbox, outbox, aRun } = await openTestOutbox()
    const run = aRun(join(inbox, 'done/p.csv'))
    const openFolders = async () => {
      const names = await readdir('/proc/self/fd')
      const paths = await Promise.all(names.map((name) => readlink(`/proc/self/fd/${name}`).catch(() => '')))
      return paths.filter((path) => path === join(inbox, 'outbox')).length
    }
    const [one, other] = [await outbox.open(run, table), await outbox.open(run, { ...table, kind: 'invalid' })]
    expect(await openFolders()).toBe(2)
    await one.close()
    await other.abort()
    await outbox.summarize(run, 'new\n')
    await expect(outbox.open(run, { ...table, header: [] })).rejects.toThrow('has no columns')
    expect(await openFolders()).toBe(0)
  })

  test('keeps the earlier table if a new one is abandoned or cannot be opened', async () => {
    const { inbox, outbox, aRun, write } = await openTestOutbox()
    const run = aRun(join(inbox, 'done/p.csv'))
    const path = await write(run)
    const abandoned = await outbox.open(run, table)
    await abandoned.write(['new'])
    await abandoned.abort()
    await expect(outbox.open(run, { ...table, header: [] })).rejects.toThrow('has no columns')
    expect(await readdir(join(inbox, 'outbox'))).toEqual(['p.aaaaaaaa.results.csv'])
    expect(await readFile(path, 'utf8')).not.toContain('new')
  })
})
