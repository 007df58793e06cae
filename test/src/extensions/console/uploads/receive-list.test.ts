// Taking a list from a form: its limits, a full disk, a browser that stalls, and names that mean harm.

import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough, Readable } from 'node:stream'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type ReceiveOptions,
  receiveList,
  storedName,
  uploadedName,
} from '#src/extensions/console/uploads/receive-list.ts'
import { systemClock } from '#src/platform/time/clock.ts'
import { multipart, multipartType } from '#test/support/console-world.ts'

const mebibyte = 1024 * 1024

describe('a list', () => {
  let root: string
  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'credsync-receive-'))
  })
  afterAll(() => rm(root, { recursive: true, force: true }))

  const roomy = { wrote: () => {}, isShort: async () => false }
  const formOf = (content: string | Buffer, name = 'a.csv') =>
    multipart({ fields: { pipeline: 'spring' }, file: { name, content } })

  async function receive(body: Readable, options: Partial<ReceiveOptions> = {}) {
    const folder = await mkdtemp(join(root, 'list-'))
    const mayUse = (pipeline: string) => pipeline === 'spring'
    const settings = { clock: systemClock, folder, maxBytes: mebibyte, mayUse, space: roomy, ...options }
    return receiveList({ contentType: multipartType, length: null, body }, settings)
  }

  test('is taken up to the limit, and not a byte more', async () => {
    const whole = Buffer.alloc(mebibyte, 'a')
    expect(await receive(Readable.from([formOf(whole)]))).toMatchObject({ bytes: mebibyte, name: 'a.csv' })
    const more = Readable.from([formOf(Buffer.alloc(mebibyte + 1, 'a'))])
    await expect(receive(more)).rejects.toMatchObject({ status: 413 })
    // Not even its header is believed: a form that grows while it arrives is cut.
    const endless = Readable.from(
      (async function* () {
        yield formOf('').subarray(0, -30)
        for (;;) yield Buffer.alloc(65_536, 'a')
      })(),
    )
    await expect(receive(endless)).rejects.toMatchObject({ status: 413 })
  })

  test('is refused with a sentence if the disk becomes full while it arrives', async () => {
    const long = Readable.from([formOf(Buffer.alloc(40 * mebibyte, 'a'))])
    const space = { ...roomy, isShort: async () => true }
    await expect(receive(long, { maxBytes: 99 * mebibyte, space })).rejects.toMatchObject({
      status: 507,
      message: expect.stringContaining('not enough space'),
    })
  })

  test('is given up if nothing more arrives', async () => {
    const stalled = new PassThrough()
    stalled.write(formOf('a').subarray(0, 150))
    await expect(receive(stalled, { idleMs: 50 })).rejects.toMatchObject({ status: 400 })
    expect(stalled.destroyed).toBe(true)
  })

  test('has one file, after its pipeline', async () => {
    const one = formOf('a')
    const twice = Buffer.concat([one.subarray(0, one.lastIndexOf('--', -5)), one])
    await expect(receive(Readable.from([twice.subarray(0, -50)]))).rejects.toMatchObject({ status: 400 })
    const without = multipart({ fields: {}, file: { name: 'a.csv', content: 'a' } })
    await expect(receive(Readable.from([without]))).rejects.toMatchObject({ status: 422 })
  })

  test('lies where it is meant to lie, whatever its name', async () => {
    for (const name of [
      '../../../x.csv',
      '/etc/passwd',
      'C:\\\\Users\\\\x.csv',
      '..',
      '.hidden',
      'a\u202egnp.csv',
      'ä'.repeat(300),
    ]) {
      const { file } = await receive(Readable.from([formOf('a', name)]))
      expect(file).toMatch(/^[\p{L}\p{N}_-][\p{L}\p{N}._-]*$/u)
      expect(Buffer.byteLength(file)).toBeLessThan(255)
    }
    expect(await readdir(root).then((names) => names.filter((name) => !name.startsWith('list-')))).toEqual([])
  })

  test.each([
    ['../../x.csv', 'x.csv', 'x.csv'],
    ['März – Kurs 1.XLSX', 'März – Kurs 1.XLSX', 'März-Kurs-1.xlsx'],
    ['<b>list</b>.csv', 'b>.csv', 'b-.csv'],
    ['a\r\nb\u202e.csv', 'a--b-.csv', 'a--b-.csv'],
    ['...', 'list', 'list'],
    ['names.spring.2a3b.invalid.csv', 'names.spring.2a3b.invalid.csv', 'names.spring.2a3b.invalid.csv'],
  ])('%j is called %j, and on the disk %j', (sent, shown, stored) => {
    expect(uploadedName(sent)).toBe(shown)
    expect(storedName(shown)).toBe(stored)
  })
})
