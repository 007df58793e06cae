// Downloading a credential from the download endpoint: unchanged bytes, compressed files, errors and retries.

import { randomBytes } from 'node:crypto'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { CompressedFileError } from '#src/issuer/certificates/decompress-file.ts'
import { ServiceRefusedError } from '#src/issuer/classify-read.ts'
import { WireError } from '#src/issuer/read-shape.ts'
import { UnusableIdError } from '#src/issuer/routes.ts'
import { envelope, json, raw, type Script } from '#test/support/scripted-server.ts'
import { openBench } from '../client-bench.ts'

const path = '/downloadCertificate/'
const pdf = Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.alloc(3_000_000, 0x80), Buffer.from([0, 0xff])])
const file = raw(200, pdf, { 'content-type': 'application/pdf' })

/** Sends part of a file, then cuts the connection. */
const cutHalfway: Script = (_seen, response, request) => {
  response.writeHead(200, { 'content-type': 'application/pdf', 'content-length': String(pdf.length) })
  response.write(pdf.subarray(0, 100_000), () => request.socket.destroy())
}

describe('downloadCredential', () => {
  test.each(['3f2b0c1d-0000-4000-8000-000000000001', '1234-5678-9012'])(
    'returns the unchanged bytes for %s',
    async (id) => {
      await using bench = await openBench()
      bench.server.on(`${path}${id}`, file)
      const { contentType, bytes } = await bench.issuer.downloadCredential(id)
      expect([contentType, bytes.equals(pdf)]).toEqual(['application/pdf', true])
      expect(bench.server.requests(path)).toMatchObject([
        { method: 'GET', body: '', headers: { authorization: 'Bearer access-1' } },
      ])
      expect(bench.gates['credential-download']?.passes).toBe(1)
    },
  )

  test('starts over after an interrupted attempt', async () => {
    await using bench = await openBench()
    bench.server.on(path, cutHalfway, raw(503, ''), file)
    expect((await bench.issuer.downloadCredential('c')).bytes.equals(pdf)).toBe(true)
  })

  test.each([
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['BR', brotliCompressSync],
  ])('decompresses a file compressed with %s, although no compression was requested', async (encoding, compress) => {
    await using bench = await openBench()
    // The content is random, so that it does not compress.
    const whole = Buffer.concat([Buffer.from('%PDF-1.7\n'), randomBytes(1_000_000)])
    const compressed = compress(whole)
    const headers = { 'content-type': 'application/pdf', 'content-encoding': encoding }
    const cut: Script = (_seen, response, request) => {
      response.writeHead(200, { ...headers, 'content-length': String(compressed.length) })
      response.write(compressed.subarray(0, 500_000), () => request.socket.destroy())
    }
    bench.server.on(path, cut, raw(200, compressed, headers))
    const { contentType, bytes } = await bench.issuer.downloadCredential('c')
    expect([contentType, bytes.equals(whole)]).toEqual(['application/pdf', true])
    expect(bench.server.requests(path)[0]?.headers['accept-encoding']).toBe('identity')
  })

  test('checks a compressed body for an envelope too', async () => {
    await using bench = await openBench()
    const envelope = gzipSync('{"status":404,"message":"none","payload":{}}')
    bench.server.on(path, raw(200, envelope, { 'content-encoding': 'gzip' }))
    await expect(bench.issuer.downloadCredential('c')).rejects.toThrow(ServiceRefusedError)
  })

  test.each([
    ['is corrupt', Buffer.from('not gzip'), 'gzip'],
    ['is truncated', gzipSync(randomBytes(200_000)).subarray(0, 100_000), 'gzip'],
    ['has an unknown encoding', Buffer.from('x'), 'compress, zstd'],
    ['is too large when decompressed', gzipSync(Buffer.alloc(70 * 2 ** 20)), 'gzip'],
  ])('refuses a compressed file that %s, without a retry', async (_what, body, encoding) => {
    await using bench = await openBench()
    bench.server.on(path, raw(200, body, { 'content-encoding': encoding }))
    await expect(bench.issuer.downloadCredential('c')).rejects.toThrow(CompressedFileError)
    expect(bench.server.requests(path)).toHaveLength(1)
  })

  test.each([
    ['an HTTP 404', json(404, { status: 404, message: 'none for jo@x.example' })],
    ['an envelope under 200', json(200, { status: 404, message: 'none for jo@x.example', payload: {} })],
    [
      'an envelope that calls itself a PDF',
      raw(200, '\n{"status":"404","message":"none"}', { 'content-type': 'application/pdf' }),
    ],
  ])('reports %s as a refusal', async (_what, script) => {
    await using bench = await openBench()
    bench.server.on(path, script)
    const error = await bench.issuer.downloadCredential('c').catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(ServiceRefusedError)
    expect(error).toMatchObject({ status: 404, endpoint: 'credential-download' })
    expect(String(error)).not.toContain('jo@x')
  })

  test.each([
    ['an envelope that says 200', '{"status":200,"message":"ok","payload":{"link":"x"}}', 'application/json'],
    ['an open badge', '{"@context":"https://w3id.org/openbadges/v2","status":404}', 'application/ld+json'],
    ['truncated JSON', '{"status":404,"mess', 'application/json'],
    ['HTML', '<html>', 'text/html'],
  ])('returns %s unchanged', async (_what, text, contentType) => {
    await using bench = await openBench()
    bench.server.on(path, raw(200, text, { 'content-type': contentType }))
    const { bytes, ...file } = await bench.issuer.downloadCredential('c')
    expect([file, bytes.toString()]).toEqual([{ contentType }, text])
  })

  test('retries after an envelope that reports a 503, and renews the token after one that reports a 401', async () => {
    await using bench = await openBench()
    bench.server.on(path, json(200, { status: 503, message: '' }), json(200, { status: 401, message: '' }), file)
    const { bytes } = await bench.issuer.downloadCredential('c')
    expect(bench.server.requests(path).map((request) => request.headers.authorization)).toEqual([
      'Bearer access-1',
      'Bearer access-1',
      'Bearer access-2',
    ])
    expect(bytes.equals(pdf)).toBe(true)
  })

  test('does not accept an empty file', async () => {
    await using bench = await openBench()
    bench.server.on(path, raw(200, ''))
    await expect(bench.issuer.downloadCredential('c')).rejects.toThrow(WireError)
  })

  test('refuses an id that would lead to another path, and escapes a slash in an id', async () => {
    await using bench = await openBench()
    await expect(bench.issuer.downloadCredential('..')).rejects.toThrow(UnusableIdError)
    bench.server.on(`${path}a%2Fb`, envelope({}))
    await bench.issuer.downloadCredential('a/b')
    expect(bench.server.requests(`${path}a%2Fb`)).toHaveLength(1)
  })
})
