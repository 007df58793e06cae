// Certificates into a folder: whole or not at all, once each, whatever the service, the disk or a kill does meanwhile.

import { createHash } from 'node:crypto'
import { appendFile, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { certificateEnding } from '#src/downloads/certificate-ending.ts'
import { openDownloadFolder } from '#src/downloads/download-folder.ts'
import { type Fetched, fetchAll } from '#src/downloads/fetch-all.ts'
import { fileStem } from '#src/downloads/file-stem.ts'
import { openManifest, parseManifest } from '#src/downloads/manifest.ts'
import { surelyNoCertificate } from '#src/downloads/surely-no-certificate.ts'
import { systemClock } from '#src/time/clock.ts'
import { openBench } from '#test/src/issuer/bench.ts'
import { json, raw, type Script } from '#test/support/scripted-server.ts'

const path = '/downloadCertificate/'
const pdf = (text: string) => raw(200, `%PDF-1.7 ${text}`, { 'content-type': 'application/octet-stream' })

async function openDesk() {
  const above = await mkdtemp(join(tmpdir(), 'credsync-downloads-'))
  onTestFinished(() => rm(above, { recursive: true, force: true }))
  const bench = await openBench()
  onTestFinished(() => bench[Symbol.asyncDispose]())
  const place = join(above, 'certificates')
  const stop = new AbortController()
  return {
    bench,
    place,
    stop,
    open: () => openDownloadFolder(place, systemClock),
    /** As a process that starts anew does. */
    async fetch(ids: string[], mostBytes = 1_000_000) {
      const folder = await openDownloadFolder(place, systemClock)
      const tools = { folder, clock: systemClock, signal: stop.signal, mostBytes }
      return fetchAll(ids, { ...tools, download: bench.issuer.downloadCredential })
    },
    asked: () => bench.server.requests(path).map((each) => each.path.split('/').at(-1)),
  }
}

const standings = (all: readonly Fetched[]) => all.map((each) => each.standing)

describe('fetchAll', () => {
  test('keeps each file for its owner alone, with a line that tells the truth of it', async () => {
    const { bench, place, fetch } = await openDesk()
    bench.server.on(`${path}1-1`, pdf('one'))
    bench.server.on(`${path}2-2`, raw(200, 'what is this', { 'content-type': 'application/x-odd' }))
    const { all, away } = await fetch(['1-1', '2-2', '1-1'])
    expect([standings(all), away]).toEqual([['fetched', 'fetched'], false])
    expect((await readdir(place)).sort()).toEqual(['1-1.pdf', '2-2.bin', 'manifest.jsonl'])
    const { files } = parseManifest(await readFile(join(place, 'manifest.jsonl'), 'utf8'))
    const sha256 = createHash('sha256').update('%PDF-1.7 one').digest('hex')
    expect(files.get('1-1')).toEqual({
      id: '1-1',
      file: '1-1.pdf',
      sha256,
      size: 12,
      contentType: 'application/octet-stream',
      fetchedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
    })
    expect(await readFile(join(place, '1-1.pdf'), 'utf8')).toBe('%PDF-1.7 one')
    const modes = [place, join(place, '1-1.pdf'), join(place, 'manifest.jsonl')].map(
      async (each) => (await stat(each)).mode,
    )
    expect((await Promise.all(modes)).map((mode) => mode & 0o777)).toEqual([0o700, 0o600, 0o600])
  })

  test('asks again only for what is gone, has another content, or stands on a broken line', async () => {
    const { bench, place, fetch, asked } = await openDesk()
    bench.server.on(path, pdf('same'))
    const ids = ['1-1', '2-2', '3-3', '4-4']
    await fetch(ids.slice(0, 3))
    await rm(join(place, '1-1.pdf'))
    await writeFile(join(place, '2-2.pdf'), 'something else')
    // Killed while it wrote the line of 4-4.
    await appendFile(join(place, 'manifest.jsonl'), '{"id":"4-4","file":"4-')
    expect((await openDownloadFolder(place, systemClock)).manifest.unreadable).toBe(1)
    expect(standings((await fetch(['4-4'])).all)).toEqual(['fetched'])
    expect(standings((await fetch(ids)).all)).toEqual(['fetched', 'fetched', 'there', 'there'])
    expect(asked().slice(3).sort()).toEqual(['1-1', '2-2', '4-4'])
    expect(standings((await fetch(ids)).all)).toEqual(['there', 'there', 'there', 'there'])
    expect(asked()).toHaveLength(6)
  })

  test('lets one that fails cost itself alone, and leaves nothing of it', async () => {
    const { bench, place, fetch } = await openDesk()
    bench.server.on(`${path}1-1`, raw(404, '{"message":"no such credential"}'))
    bench.server.on(`${path}2-2`, raw(200, Buffer.alloc(2_000_000, 0x25), { 'content-type': 'application/pdf' }))
    bench.server.on(`${path}3-3`, json(200, { status: 403, message: 'not yours', payload: {} }))
    bench.server.on(`${path}4-4`, raw(500, ''))
    bench.server.on(`${path}5-5`, pdf('good'))
    const { all, away } = await fetch(['1-1', '2-2', '3-3', '4-4', '5-5'])
    expect([standings(all), away]).toEqual([['failed', 'failed', 'failed', 'failed', 'fetched'], false])
    const errors = all.map((each) => (each.standing === 'failed' ? (each.error as Error).message : ''))
    expect(errors[0]).toContain('404')
    expect(errors[1]).toContain('longer than the 1 MB')
    expect((await readdir(place)).sort()).toEqual(['5-5.pdf', 'manifest.jsonl'])
  })

  test('keeps no page, no JSON document and no emptiness in place of a certificate, and asks for them again', async () => {
    const { bench, place, fetch } = await openDesk()
    const rubbish = ['{"error":"maintenance"}', '<!doctype html><title>Sign in</title>', '[]']
    for (const [at, body] of rubbish.entries()) bench.server.on(`${path}${at}-0`, raw(200, body), pdf('at last'))
    const ids = rubbish.map((_, at) => `${at}-0`)
    const { all, away } = await fetch(ids)
    expect([standings(all), away]).toEqual([['failed', 'failed', 'failed'], false])
    expect(all.map((each) => each.standing === 'failed' && (each.error as Error).message)).toEqual([
      expect.stringContaining('is a JSON document, so it was not kept'),
      expect.stringContaining('is a web page, so it was not kept'),
      expect.stringContaining('is a JSON document'),
    ])
    expect(await readdir(place)).toEqual([])
    expect(standings((await fetch(ids)).all)).toEqual(['fetched', 'fetched', 'fetched'])
  })

  test('begins a file anew that broke off', async () => {
    const { bench, place, fetch } = await openDesk()
    const half: Script = (_seen, response, request) => {
      response.writeHead(200, { 'content-type': 'application/pdf', 'content-length': '700000' })
      response.write(Buffer.alloc(600_000, 0x25), () => request.socket.destroy())
    }
    bench.server.on(path, half, half, pdf('whole'))
    const { all } = await fetch(['1-1'])
    expect(all).toMatchObject([{ standing: 'fetched', kept: { size: 14 } }])
    expect(await readFile(join(place, '1-1.pdf'), 'utf8')).toBe('%PDF-1.7 whole')
  })

  test('goes on past certificates at which the service stumbles, however many', async () => {
    const { bench, fetch } = await openDesk()
    bench.server.on(path, (seen, ...answer) => (seen.path.endsWith('-7') ? raw(500, '') : pdf('good'))(seen, ...answer))
    const { all, away } = await fetch(Array.from({ length: 42 }, (_, n) => `${n}-${n % 7 === 0 ? 7 : 0}`))
    expect(away).toBe(false)
    expect(standings(all).filter((each) => each === 'failed')).toHaveLength(6)
    expect(standings(all)).not.toContain('not asked')
  })

  test('does not ask a service that is away for each', async () => {
    const { bench, fetch, asked } = await openDesk()
    bench.server.on(path, raw(503, ''))
    const { all, away } = await fetch(Array.from({ length: 40 }, (_, n) => `${n}-0`))
    expect(away).toBe(true)
    expect(standings(all).filter((each) => each === 'not asked').length).toBeGreaterThan(30)
    expect(new Set(asked()).size).toBeLessThan(9)
    expect((await fetch(['1-1'])).away).toBe(true)
  })

  test('leaves no part behind when it is interrupted in the middle of a file', async () => {
    const { bench, place, stop, fetch } = await openDesk()
    const begun = Promise.withResolvers<void>()
    const endless: Script = (_seen, response) => {
      response.writeHead(200, { 'content-type': 'application/pdf' })
      response.write('%PDF-1.7 the first half', () => begun.resolve())
    }
    bench.server.on(path, endless)
    const done = expect(fetch(['1-1'])).rejects.toBe('SIGINT')
    await begun.promise
    while ((await readdir(place).catch(() => [])).length === 0) await systemClock.sleep(5)
    stop.abort('SIGINT')
    // At once, for the process may end in this moment.
    expect(await readdir(place)).toEqual([])
    await bench.server.close()
    await done
    expect(await readdir(place)).toEqual([])
  })
})

describe('the folder', () => {
  test('is made one level deep and no deeper, and is rid of parts that nobody writes any more', async () => {
    const { place, open } = await openDesk()
    await expect(openDownloadFolder(join(place, 'deeper'), systemClock)).rejects.toThrow(`There is no folder ${place}`)
    await open()
    const [old, young] = ['.1-1.0123abcd.part', '.1-1.89abcdef.part']
    for (const name of [old, young, 'file']) await writeFile(join(place, name), 'half')
    await utimes(join(place, old), 0, 0)
    await open()
    expect((await readdir(place)).sort()).toEqual([young, 'file'])
    await expect(openDownloadFolder(join(place, 'file'), systemClock)).rejects.toThrow('is no folder')
  })
})

test('a list that names a path outside the folder is not believed', () => {
  const line = { id: '1-1', sha256: 'a', size: 1, contentType: '', fetchedAt: '2026-01-01T00:00:00Z' }
  const text = ['../secret', '/etc/passwd', '', '.hidden', 'a.pdf'].map((file) => JSON.stringify({ ...line, file }))
  const { files, unreadable } = parseManifest(text.join('\n'))
  expect([[...files.values()].map((each) => each.file), unreadable]).toEqual([['a.pdf'], 4])
})

test('an id that is no plain name becomes one, another for each id', () => {
  expect(fileStem('1234-5678')).toBe('1234-5678')
  const hostile = ['../../x', '.', '', 'a/b', 'a\\b', 'a\0', '-rf', 'x'.repeat(200)].map(fileStem)
  expect(new Set(hostile).size).toBe(hostile.length)
  for (const stem of hostile) expect(stem).toMatch(/^id-[0-9a-f]{32}$/)
})

test.each([
  ['pdf', '%PDF-1.4', 'image/png'],
  ['png', '\x89PNG\r\n', ''],
  ['jpg', '\xff\xd8\xff\xe0', 'application/octet-stream'],
  ['zip', 'PK\x03\x04', ''],
  ['html', '\n <!DOCTYPE html>', 'application/pdf'],
  ['html', '<p>', 'text/html; charset=utf-8'],
  ['pdf', '', 'Application/PDF'],
  ['bin', 'words', 'text/plain'],
  ['bin', '', ''],
])('the ending is %s for %j of the type %j', (ending, head, type) => {
  expect(certificateEnding(Buffer.from(head, 'latin1'), type)).toBe(ending)
})

test('a list is read from its end as far as that is asked for, by whole lines', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'credsync-list-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const of = (id: string) => ({ id, file: `${id}.pdf`, sha256: createHash('sha256').update(id).digest('hex'), size: 3 })
  const first = await openManifest(folder)
  for (const id of ['1-1', '2-2', '3-3']) {
    await writeFile(join(folder, `${id}.pdf`), id)
    await first.add({ ...of(id), contentType: '', fetchedAt: '2026-01-01T00:00:00.000Z' })
  }
  const lines = (await readFile(join(folder, 'manifest.jsonl'), 'utf8')).split('\n')
  const tail = await openManifest(folder, `${lines[2]}\n`.length + 20)
  expect(tail.unreadable).toBe(0)
  const held = await Promise.all(['1-1', '2-2', '3-3'].map((id) => tail.holds(id)))
  expect(held.map((each) => each?.id)).toEqual([undefined, undefined, '3-3'])
  await tail.add({ ...of('2-2'), contentType: '', fetchedAt: '2026-01-02T00:00:00.000Z' })
  expect((await openManifest(folder)).unreadable).toBe(0)
  expect((await (await openManifest(folder)).holds('2-2'))?.fetchedAt).toBe('2026-01-02T00:00:00.000Z')
})

test.each([
  ['nothing at all', ''],
  ['a JSON document', ' {"error":"maintenance"}'],
  ['a JSON document', `{"items":["${'x'.repeat(600)}`],
  ['a web page', '\n<!DOCTYPE HTML><p>'],
  ['a web page', '<?xml version="1.0"?>\n<!-- a --><html lang="en">'],
  [null, '%PDF-1.7 {"a":1}'],
  [null, '<svg xmlns="http://www.w3.org/2000/svg"/>'],
  [null, '{\\rtf1 text}'],
  [null, '42'],
])('%j comes of what begins with %j', (what, text) => {
  expect(surelyNoCertificate(Buffer.from(text).subarray(0, 512), Buffer.byteLength(text))).toBe(what)
})
