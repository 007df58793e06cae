// Downloads of certificates into a folder: each file is stored once, and completely or not at all, even if the service
// or the disk fails or the process is killed.

import { createHash } from 'node:crypto'
import { appendFile, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openDownloadFolder } from '#src/extensions/certificates/download-folder.ts'
import { fileStem } from '#src/extensions/certificates/fetch-certificate.ts'
import { type FetchResult, fetchAll } from '#src/extensions/certificates/fetch-certificates.ts'
import { openManifest, parseManifest } from '#src/extensions/certificates/manifest.ts'
import { nonCertificateContent } from '#src/extensions/certificates/non-certificate-content.ts'
import { certificateExtension } from '#src/extensions/certificates/store-certificate.ts'
import { systemClock } from '#src/platform/time/clock.ts'
import { openBench } from '#test/src/issuer/client-bench.ts'
import { json, raw, type Script } from '#test/support/scripted-server.ts'

const path = '/downloadCertificate/'
const pdf = (text: string) => raw(200, `%PDF-1.7 ${text}`, { 'content-type': 'application/octet-stream' })

async function openTestFolder() {
  const parent = await mkdtemp(join(tmpdir(), 'credsync-downloads-'))
  onTestFinished(() => rm(parent, { recursive: true, force: true }))
  const bench = await openBench()
  onTestFinished(() => bench[Symbol.asyncDispose]())
  const folderPath = join(parent, 'certificates')
  const stop = new AbortController()
  return {
    bench,
    folderPath,
    stop,
    open: () => openDownloadFolder(folderPath),
    /** Opens the folder again each time, as a new process would. */
    async fetch(ids: string[], maxBytes = 1_000_000) {
      const folder = await openDownloadFolder(folderPath)
      const tools = { folder, clock: systemClock, signal: stop.signal, maxBytes }
      return fetchAll(ids, { ...tools, download: bench.issuer.downloadCredential })
    },
    requested: () => bench.server.requests(path).map((request) => request.path.split('/').at(-1)),
  }
}

const statuses = (all: readonly FetchResult[]) => all.map((entry) => entry.status)

describe('fetchAll', () => {
  test('stores each file readable by its owner only, with a correct line in the manifest', async () => {
    const { bench, folderPath, fetch } = await openTestFolder()
    bench.server.on(`${path}1-1`, pdf('one'))
    bench.server.on(`${path}2-2`, raw(200, 'what is this', { 'content-type': 'application/x-odd' }))
    const { all, unavailable } = await fetch(['1-1', '2-2', '1-1'])
    expect([statuses(all), unavailable]).toEqual([['fetched', 'fetched'], false])
    expect((await readdir(folderPath)).sort()).toEqual(['1-1.pdf', '2-2.bin', 'manifest.jsonl'])
    const { files } = parseManifest(await readFile(join(folderPath, 'manifest.jsonl'), 'utf8'))
    const sha256 = createHash('sha256').update('%PDF-1.7 one').digest('hex')
    expect(files.get('1-1')).toEqual({
      id: '1-1',
      file: '1-1.pdf',
      sha256,
      size: 12,
      contentType: 'application/octet-stream',
      fetchedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
    })
    expect(await readFile(join(folderPath, '1-1.pdf'), 'utf8')).toBe('%PDF-1.7 one')
    const modes = [folderPath, join(folderPath, '1-1.pdf'), join(folderPath, 'manifest.jsonl')].map(
      async (each) => (await stat(each)).mode,
    )
    expect((await Promise.all(modes)).map((mode) => mode & 0o777)).toEqual([0o700, 0o600, 0o600])
  })

  test('requests again only files that are missing, have changed, or have a broken line in the manifest', async () => {
    const { bench, folderPath, fetch, requested } = await openTestFolder()
    bench.server.on(path, pdf('same'))
    const ids = ['1-1', '2-2', '3-3', '4-4']
    await fetch(ids.slice(0, 3))
    await rm(join(folderPath, '1-1.pdf'))
    await writeFile(join(folderPath, '2-2.pdf'), 'something else')
    // What a process leaves if it is killed while it writes the line for 4-4.
    await appendFile(join(folderPath, 'manifest.jsonl'), '{"id":"4-4","file":"4-')
    expect((await openDownloadFolder(folderPath)).manifest.unreadable).toBe(1)
    expect(statuses((await fetch(['4-4'])).all)).toEqual(['fetched'])
    expect(statuses((await fetch(ids)).all)).toEqual(['fetched', 'fetched', 'there', 'there'])
    expect(requested().slice(3).sort()).toEqual(['1-1', '2-2', '4-4'])
    expect(statuses((await fetch(ids)).all)).toEqual(['there', 'there', 'there', 'there'])
    expect(requested()).toHaveLength(6)
  })

  test('skips certificates that fail, and leaves no files for them', async () => {
    const { bench, folderPath, fetch } = await openTestFolder()
    bench.server.on(`${path}1-1`, raw(404, '{"message":"no such credential"}'))
    bench.server.on(`${path}2-2`, raw(200, Buffer.alloc(2_000_000, 0x25), { 'content-type': 'application/pdf' }))
    bench.server.on(`${path}3-3`, json(200, { status: 403, message: 'not yours', payload: {} }))
    bench.server.on(`${path}4-4`, raw(500, ''))
    bench.server.on(`${path}5-5`, pdf('good'))
    const { all, unavailable } = await fetch(['1-1', '2-2', '3-3', '4-4', '5-5'])
    expect([statuses(all), unavailable]).toEqual([['failed', 'failed', 'failed', 'failed', 'fetched'], false])
    const errors = all.map((entry) => (entry.status === 'failed' ? (entry.error as Error).message : ''))
    expect(errors[0]).toContain('404')
    expect(errors[1]).toContain('more than the 1 MB')
    expect((await readdir(folderPath)).sort()).toEqual(['5-5.pdf', 'manifest.jsonl'])
  })

  test('refuses a file over 50 MB', async () => {
    const { folderPath, stop } = await openTestFolder()
    const folder = await openDownloadFolder(folderPath)
    const download = async () => ({ contentType: 'application/pdf', bytes: Buffer.alloc(50_000_001, 0x25) })
    const tools = { folder, clock: systemClock, signal: stop.signal, download }
    const [refused] = (await fetchAll(['1-1'], tools)).all
    expect(refused).toMatchObject({ status: 'failed', error: { message: expect.stringContaining('the 50 MB') } })
    expect(await readdir(folderPath)).toEqual([])
  })

  test('stores no HTML page, JSON document or empty file as a certificate, and requests them again', async () => {
    const { bench, folderPath, fetch } = await openTestFolder()
    const notCertificates = ['{"error":"maintenance"}', '<!doctype html><title>Sign in</title>', '[]']
    for (const [at, body] of notCertificates.entries())
      bench.server.on(`${path}${at}-0`, raw(200, body), pdf('at last'))
    const ids = notCertificates.map((_, at) => `${at}-0`)
    const { all, unavailable } = await fetch(ids)
    expect([statuses(all), unavailable]).toEqual([['failed', 'failed', 'failed'], false])
    expect(all.map((entry) => entry.status === 'failed' && (entry.error as Error).message)).toEqual([
      expect.stringContaining('a JSON document, which was not kept'),
      expect.stringContaining('a web page, which was not kept'),
      expect.stringContaining('a JSON document'),
    ])
    expect(await readdir(folderPath)).toEqual([])
    expect(statuses((await fetch(ids)).all)).toEqual(['fetched', 'fetched', 'fetched'])
  })

  test('restarts a download that was interrupted', async () => {
    const { bench, folderPath, fetch } = await openTestFolder()
    const cutHalfway: Script = (_seen, response, request) => {
      response.writeHead(200, { 'content-type': 'application/pdf', 'content-length': '700000' })
      response.write(Buffer.alloc(600_000, 0x25), () => request.socket.destroy())
    }
    bench.server.on(path, cutHalfway, cutHalfway, pdf('whole'))
    const { all } = await fetch(['1-1'])
    expect(all).toMatchObject([{ status: 'fetched', entry: { size: 14 } }])
    expect(await readFile(join(folderPath, '1-1.pdf'), 'utf8')).toBe('%PDF-1.7 whole')
  })

  test('continues after certificates for which the service fails, however many there are', async () => {
    const { bench, fetch } = await openTestFolder()
    bench.server.on(path, (seen, ...answer) => (seen.path.endsWith('-7') ? raw(500, '') : pdf('good'))(seen, ...answer))
    const { all, unavailable } = await fetch(Array.from({ length: 42 }, (_, n) => `${n}-${n % 7 === 0 ? 7 : 0}`))
    expect(unavailable).toBe(false)
    expect(statuses(all).filter((status) => status === 'failed')).toHaveLength(6)
    expect(statuses(all)).not.toContain('not asked')
  })

  test('does not call an unavailable service for every certificate', async () => {
    const { bench, fetch, requested } = await openTestFolder()
    bench.server.on(path, raw(503, ''))
    const { all, unavailable } = await fetch(Array.from({ length: 40 }, (_, n) => `${n}-0`))
    expect(unavailable).toBe(true)
    expect(statuses(all).filter((status) => status === 'not asked').length).toBeGreaterThan(30)
    expect(new Set(requested()).size).toBeLessThan(9)
    expect((await fetch(['1-1'])).unavailable).toBe(true)
  })

  test('ends at once when it is interrupted, and leaves no partial file', async () => {
    const { bench, folderPath, stop, fetch } = await openTestFolder()
    const started = Promise.withResolvers<void>()
    const endless: Script = (_seen, response) => {
      response.writeHead(200, { 'content-type': 'application/pdf' })
      response.write('%PDF-1.7 the first half', () => started.resolve())
    }
    bench.server.on(path, endless)
    const done = expect(fetch(['1-1'])).rejects.toBe('SIGINT')
    await started.promise
    stop.abort('SIGINT')
    await done
    expect(await readdir(folderPath)).toEqual([])
  })
})

describe('the download folder', () => {
  test('is created, but its missing parent folders are not', async () => {
    const { folderPath, open } = await openTestFolder()
    await expect(openDownloadFolder(join(folderPath, 'deeper'))).rejects.toThrow(`There is no folder ${folderPath}`)
    await open()
    await writeFile(join(folderPath, 'file'), '')
    await expect(openDownloadFolder(join(folderPath, 'file'))).rejects.toThrow('is not a folder')
  })

  test('is cleared of the partial files of killed processes by the next download', async () => {
    const { bench, folderPath, open, fetch } = await openTestFolder()
    bench.server.on(`${path}1-1`, pdf('one'))
    await open()
    const [old, young] = ['.1-1.0123abcd.part', '.1-1.89abcdef.part']
    for (const name of [old, young]) await writeFile(join(folderPath, name), 'half')
    await utimes(join(folderPath, old), 0, 0)
    await fetch(['1-1'])
    expect((await readdir(folderPath)).sort()).toEqual([young, '1-1.pdf', 'manifest.jsonl'])
  })
})

test('a manifest line that names a path outside the folder is not trusted', () => {
  const line = { id: '1-1', sha256: 'a', size: 1, contentType: '', fetchedAt: '2026-01-01T00:00:00Z' }
  const text = ['../secret', '/etc/passwd', '', '.hidden', 'a.pdf'].map((file) => JSON.stringify({ ...line, file }))
  const { files, unreadable } = parseManifest(text.join('\n'))
  expect([[...files.values()].map((each) => each.file), unreadable]).toEqual([['a.pdf'], 4])
})

test('an unsafe id is replaced by a safe file name that is different for each id', () => {
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
  ['html', '<p>', 'text/html; charset=utf-8'],
  ['pdf', '', 'Application/PDF'],
  ['bin', 'words', 'text/plain'],
  ['bin', '', ''],
])('the extension is %s for %j with the type %j', (ending, head, type) => {
  expect(certificateExtension(Buffer.from(head, 'latin1'), type)).toBe(ending)
})

test('of the end of a manifest, only as much is read as requested, in whole lines', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'credsync-list-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const entryOf = (id: string) => ({
    id,
    file: `${id}.pdf`,
    sha256: createHash('sha256').update(id).digest('hex'),
    size: 3,
  })
  const first = await openManifest(folder)
  for (const id of ['1-1', '2-2', '3-3']) {
    await writeFile(join(folder, `${id}.pdf`), id)
    await first.add({ ...entryOf(id), contentType: '', fetchedAt: '2026-01-01T00:00:00.000Z' })
  }
  const lines = (await readFile(join(folder, 'manifest.jsonl'), 'utf8')).split('\n')
  const tail = await openManifest(folder, `${lines[2]}\n`.length + 20)
  expect(tail.unreadable).toBe(0)
  const found = await Promise.all(['1-1', '2-2', '3-3'].map((id) => tail.findIntact(id)))
  expect(found.map((entry) => entry?.id)).toEqual([undefined, undefined, '3-3'])
  await tail.add({ ...entryOf('2-2'), contentType: '', fetchedAt: '2026-01-02T00:00:00.000Z' })
  expect((await openManifest(folder)).unreadable).toBe(0)
  expect((await (await openManifest(folder)).findIntact('2-2'))?.fetchedAt).toBe('2026-01-02T00:00:00.000Z')
})

test.each([
  ['an empty file', ''],
  ['a JSON document', ' {"error":"maintenance"}'],
  ['a JSON document', `{"items":["${'x'.repeat(600)}`],
  ['a web page', '\n<!DOCTYPE HTML><p>'],
  ['a web page', '<?xml version="1.0"?>\n<!-- a --><html lang="en">'],
  ['a web page', '\ufeff <!-- a --> <!----> \n<body>'],
  [null, `${'<!---->'.repeat(70)}<svg>`],
  [null, '<!-- <html> '],
  [null, '%PDF-1.7 {"a":1}'],
  [null, '<svg xmlns="http://www.w3.org/2000/svg"/>'],
  [null, '{\\rtf1 text}'],
  [null, '42'],
])('%j is the result for content that begins with %j', (what, text) => {
  expect(nonCertificateContent(Buffer.from(text).subarray(0, 512), Buffer.byteLength(text))).toBe(what)
})
