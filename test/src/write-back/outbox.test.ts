// Where results lie, and who may read them: real folders.

import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import type { PipelineSettings } from '#config/schema.ts'
import { openInboxes } from '#src/inbox/open-inboxes.ts'
import { systemClock } from '#src/time/clock.ts'
import { openOutbox, type ToldRun } from '#src/write-back/outbox.ts'

const table = { kind: 'results' as const, format: 'csv' as const, header: ['e_mail'] }
const first = 'aaaaaaaa-0000-4000-8000-000000000000'

/** An outbox of a pipeline whose inbox the group may read and write. */
async function openPlace() {
  const place = await mkdtemp(join(tmpdir(), 'credsync-outbox-'))
  onTestFinished(() => rm(place, { recursive: true, force: true }))
  const inbox = join(place, 'inbox')
  await mkdir(inbox)
  await chmod(inbox, 0o770)
  const linked = join(place, 'linked')
  await symlink(inbox, linked)
  const source = { inbox: linked, pattern: '*', schedule: '1m', settle: '10s' }
  const inboxes = openInboxes(
    { spring: { source } } as Record<string, object> as Record<string, PipelineSettings>,
    systemClock,
  )
  const outbox = openOutbox(join(place, 'data'), inboxes)
  const aRun = (sourcePath: string, id = first): ToldRun => ({
    id,
    pipeline: 'spring',
    sourceName: '../p.csv',
    sourcePath,
  })
  const write = async (run: ToldRun) => {
    const writer = await outbox.open(run, table)
    await writer.close()
    return writer.path
  }
  return { inbox, data: join(place, 'data/outbox'), outbox, aRun, write }
}

const modeOf = async (path: string) => (await stat(path)).mode & 0o777

describe('the outbox', () => {
  beforeEach(() => {
    const before = process.umask(0o002)
    return () => void process.umask(before)
  })

  test('is a folder of the data directory, for its owner alone, and tells two runs of one file apart', async () => {
    const { data, aRun, write } = await openPlace()
    const second = 'bbbbbbbb-0000-4000-8000-000000000000'
    const paths = [await write(aRun('/lists/p.csv')), await write(aRun('/lists/p.csv', second))]
    expect(paths).toEqual([join(data, 'p.aaaaaaaa.results.csv'), join(data, 'p.bbbbbbbb.results.csv')])
    expect([await modeOf(data), await modeOf(paths[0] ?? '')]).toEqual([0o700, 0o600])
  })

  test.each(['processing', 'done', 'refused'])(
    'of a file that lies in %s of its inbox is a folder beside that one, as open as the inbox is',
    async (folder) => {
      const { inbox, data, aRun, write } = await openPlace()
      const path = await write(aRun(join(inbox, folder, 'p.csv')))
      expect(path).toBe(join(inbox, 'outbox', 'p.aaaaaaaa.results.csv'))
      expect([await modeOf(dirname(path)), await modeOf(path)]).toEqual([0o770, 0o660])
      await expect(readdir(data)).rejects.toThrow('ENOENT')
    },
  )

  test('of a file in somebody else’s folder called processing is that of the data directory', async () => {
    const { inbox, data, aRun, write } = await openPlace()
    expect(dirname(await write(aRun('/lists/processing/p.csv')))).toBe(data)
    expect(dirname(await write({ ...aRun(join(inbox, 'done/p.csv')), pipeline: 'autumn' }))).toBe(data)
  })

  test('is never made where the inbox is away: a drive that comes back would hide it', async () => {
    const { inbox, aRun, write } = await openPlace()
    await rm(inbox, { recursive: true })
    await expect(write(aRun(join(inbox, 'done/p.csv')))).rejects.toThrow('cannot be used: it is not there (ENOENT)')
    await expect(stat(inbox)).rejects.toThrow('ENOENT')
  })

  test('has one summary for a run, the newest, whole', async () => {
    const { inbox, outbox, aRun } = await openPlace()
    const run = aRun(join(inbox, 'processing/p.csv'))
    await outbox.summarize(run, 'old\n')
    await outbox.summarize(run, 'new\n')
    expect(await readdir(join(inbox, 'outbox'))).toEqual(['p.aaaaaaaa.summary.txt'])
    const path = join(inbox, 'outbox/p.aaaaaaaa.summary.txt')
    expect([await readFile(path, 'utf8'), await modeOf(path)]).toEqual(['new\n', 0o660])
  })
})
