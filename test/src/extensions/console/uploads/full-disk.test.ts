// A disk that becomes full while a list arrives: the person is told, and nothing of the list is left.

import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { expect, onTestFinished, test } from 'vitest'
import { receiveList } from '#src/extensions/console/uploads/receive-list.ts'
import { systemClock } from '#src/platform/time/clock.ts'
import { multipart, multipartType, openConsoleWorld } from '#test/support/console-world.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { describeWithSmallDisk, mountSmallDisk } from '#test/support/small-disk.ts'
import { peopleCsv } from '#test/support/world.ts'

const full = { status: 507, message: expect.stringContaining('not enough space on the disk') }

describeWithDatabase('a disk', () =>
  describeWithSmallDisk('that is full', () => {
    test('ends a list that it cannot take, although the form is not at its end', async () => {
      const root = await mkdtemp(join(tmpdir(), 'credsync-full-'))
      onTestFinished(() => rm(root, { recursive: true, force: true }))
      const folder = join(root, 'disk')
      using _disk = await mountSmallDisk(folder, { kibibytes: 512 })
      const whole = multipart({
        fields: { pipeline: 'spring' },
        file: { name: 'a.csv', content: Buffer.alloc(4_000_000, 'a') },
      })
      const chunks = Array.from({ length: 64 }, (_, at) => whole.subarray(at * 65_536, (at + 1) * 65_536))
      let asked = 0
      const body = Readable.from(
        (async function* () {
          for (const chunk of chunks) {
            asked++
            yield chunk
          }
          // The browser is waiting for an answer.
          await new Promise(() => {})
        })(),
      )
      const options = {
        ...{ clock: systemClock, folder, maxBytes: 10_000_000, mayUse: () => true },
        // The disk had room when it was looked at.
        space: { wrote: () => {}, isShort: async () => false },
      }
      await expect(receiveList({ contentType: multipartType, length: null, body }, options)).rejects.toMatchObject(full)
      // What cannot be written is not read either: the writer is waited for.
      expect(asked).toBeLessThan(32)
    })

    test.each([
      ['its folder', 0],
      ['the folder of its content', 1],
      ['its content', 2],
      ['what is known of it', 3],
    ])('is a page for the person if it has no room for %s, and keeps nothing', async (_, files) => {
      await using console = await openConsoleWorld()
      const { app, folder } = console.world
      const uploads = join(folder, 'uploads')
      using _disk = await mountSmallDisk(uploads, { kibibytes: 400_000, files })
      const cookie = await console.signedIn('registrar')
      const upload = { fields: { pipeline: 'spring' }, file: { name: 'list.csv', content: peopleCsv(3) } }
      const answer = await console.ask('/upload', { cookie, upload })
      expect([answer.status, answer.text]).toEqual([
        507,
        expect.stringContaining('Ask whoever runs credsync to make room'),
      ])
      expect(answer.text).toContain('Upload and rehearse')
      expect(await readdir(uploads)).toEqual([])
      expect(await app.ledger.runs.list(5)).toEqual([])
      expect(await app.ledger.consoleActs.page({ before: null, limit: 5 })).toEqual([])
    })

    test('that has room takes the list', async () => {
      await using console = await openConsoleWorld()
      const uploads = join(console.world.folder, 'uploads')
      using _disk = await mountSmallDisk(uploads, { kibibytes: 400_000, files: 20 })
      const cookie = await console.signedIn('registrar')
      const upload = { fields: { pipeline: 'spring' }, file: { name: 'list.csv', content: peopleCsv(3) } }
      expect((await console.ask('/upload', { cookie, upload })).status).toBe(303)
    })
  }),
)
