// Files that are made for the browser: none stays on the disk, whatever fails, and a full disk is a page for the person.

import { mkdir, readdir, symlink, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startWorker } from '#jobs/worker.ts'
import { makeDownload } from '#src/extensions/console/make-download.ts'
import { openRehearsals } from '#src/extensions/console/uploads/open-rehearsals.ts'
import { openUploads } from '#src/extensions/console/uploads/open-uploads.ts'
import { startTidying } from '#src/extensions/console/uploads/start-tidying.ts'
import { type ConsoleWorld, openConsoleWorld } from '#test/support/console-world.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { recipients } from '#test/support/domain-objects.ts'
import { describeWithSmallDisk, mountSmallDisk } from '#test/support/small-disk.ts'
import { publish } from '#test/support/test-ledger.ts'
import { until } from '#test/support/until.ts'
import { openWorld } from '#test/support/world.ts'

describeWithDatabase('a file for the browser', () => {
  let console: ConsoleWorld
  let cookie: string
  let run: string
  let folder: string

  beforeAll(async () => {
    console = await openConsoleWorld()
    run = await publish(console.world.app.ledger, recipients(2))
    cookie = await console.signedIn('registrar')
    folder = join(console.world.folder, 'console')
    await mkdir(folder)
  })
  afterAll(() => console[Symbol.asyncDispose]())

  const download = () => console.ask(`/runs/${run}/results`, { cookie })
  const acts = async () =>
    (await console.world.app.ledger.consoleActs.page({ before: null, limit: 50 })).map(({ act }) => act)

  test('is gone if it cannot be opened, or is not finished', async () => {
    const { folder: dataDir } = console.world
    await expect(makeDownload(dataDir, 'csv', (path) => symlink('/nowhere', path))).rejects.toThrow('ENOENT')
    const write = async (path: string) => {
      await writeFile(path, 'ada@example.org')
      throw new Error('the ledger is away')
    }
    await expect(makeDownload(dataDir, 'csv', write)).rejects.toThrow('the ledger is away')
    expect(await readdir(folder)).toEqual([])
  })

  test.each(['the console', 'a worker'])('goes after an hour by %s if a kill left it', async (which) => {
    await using world = await openWorld()
    const { app } = world
    const left = join(world.folder, 'console')
    await mkdir(left)
    await writeFile(join(left, 'left.csv.1a2b3c4d.part'), 'ada@example.org')
    await writeFile(join(left, 'new.csv'), 'grace@example.org')
    const old = new Date(app.clock.now().getTime() - 3_660_000)
    await utimes(join(left, 'left.csv.1a2b3c4d.part'), old, old)
    const uploads = openUploads(app.settings.dataDir)
    await using rehearsals = openRehearsals(app, uploads)
    const start = async () =>
      which === 'a worker' ? startWorker(app, ['sweep'], { inboxes: true }) : startTidying(app, { uploads, rehearsals })
    const part = await start()
    const names = async () => (await readdir(left)).join()
    const remains = async () => (await names()) === 'new.csv' || names()
    await until('the old file to be removed', remains, { ms: 10_000 }).finally(() => part?.stop())
  })

  describeWithSmallDisk('on a disk', () => {
    test.each([
      ['with too little space', { kibibytes: 64_000 }],
      ['that is full', { kibibytes: 400_000, files: 0 }],
    ])('%s is not made, and the person is told so', async (_, size) => {
      using _disk = await mountSmallDisk(folder, size)
      const { status, text, headers } = await download()
      expect([status, text]).toEqual([507, expect.stringContaining('not enough space on the disk of this machine')])
      expect(text).toContain('Ask whoever runs credsync to make room')
      expect(headers['content-disposition']).toBeUndefined()
      expect(await readdir(folder)).toEqual([])
      expect(await acts()).not.toContain('downloaded the results')
    })

    test('with space is made, and recorded', async () => {
      using _disk = await mountSmallDisk(folder, { kibibytes: 400_000 })
      expect((await download()).status).toBe(200)
      expect(await readdir(folder)).toEqual([])
      expect(await acts()).toContain('downloaded the results')
    })
  })
})
