import { randomBytes } from 'node:crypto'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { PackedBodyError } from '#src/issuer/packed-body-error.ts'
import { ServiceRefusedError } from '#src/issuer/service-refused-error.ts'
import { ServiceUnreachableError } from '#src/issuer/service-unreachable-error.ts'
import { UnusableIdError } from '#src/issuer/unusable-id-error.ts'
import { WireError } from '#src/issuer/wire-error.ts'
import { envelope, json, raw, type Script } from '#test/support/scripted-server.ts'
import { openBench } from './bench.ts'
import { keptDownload } from './kept-download.ts'

const path = '/downloadCertificate/'
const pdf = Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.alloc(3_000_000, 0x80), Buffer.from([0, 0xff])])
const file = raw(200, pdf, { 'content-type': 'application/pdf' })

/** Half a file, then the connection is cut. */
const half: Script = (_seen, response, request) => {
  response.writeHead(200, { 'content-type': 'application/pdf', 'content-length': String(pdf.length) })
  response.write(pdf.subarray(0, 100_000), () => request.socket.destroy())
}

describe('downloadCredential', () => {
  test.each(['3f2b0c1d-0000-4000-8000-000000000001', '1234-5678-9012'])(
    'brings the bytes as they are for %s',
    async (id) => {
      await using bench = await openBench()
      bench.server.on(`${path}${id}`, file)
      const kept = keptDownload()
      expect(await bench.issuer.downloadCredential(id, kept)).toEqual({
        contentType: 'application/pdf',
        bytes: pdf.length,
      })
      expect(kept.bytes().equals(pdf)).toBe(true)
      expect(bench.server.requests(path)).toMatchObject([
        { method: 'GET', body: '', headers: { authorization: 'Bearer access-1' } },
      ])
      expect(bench.gates['credential-download']?.passes).toBe(1)
    },
  )

  test('is begun anew after a try that broke off', async () => {
    await using bench = await openBench()
    bench.server.on(path, half, raw(503, ''), file)
    const kept = keptDownload()
    await bench.issuer.downloadCredential('c', kept)
    expect(kept.bytes().equals(pdf)).toBe(true)
    expect(kept.types).toEqual(['application/pdf', 'application/pdf'])
  })

  test('waits for a slow sink, one piece after another', async () => {
    await using bench = await openBench()
    bench.server.on(path, file)
    let inside = 0
    let most = 0
    let bytes = 0
    const write = async (piece: Buffer) => {
      inside += 1
      most = Math.max(most, inside)
      await new Promise((resolve) => setImmediate(resolve))
      bytes += piece.length
      inside -= 1
    }
    await bench.issuer.downloadCredential('c', { begin: () => {}, write })
    expect([most, bytes]).toEqual([1, pdf.length])
  })

  test('lets the service wait while the sink is full', async () => {
    await using bench = await openBench()
    const whole = Buffer.alloc(40_000_000, 0x25)
    let handedOver = 0
    bench.server.on(path, (_seen, response) => {
      response.writeHead(200, { 'content-type': 'application/pdf', 'content-length': String(whole.length) })
      const next = (from: number) => {
        if (from >= whole.length) return void response.end()
        response.write(whole.subarray(from, from + 100_000), () => {
          handedOver = from + 100_000
          next(from + 100_000)
        })
      }
      next(0)
    })
    const blocked = Promise.withResolvers<void>()
    const full = Promise.withResolvers<void>()
    const write = () => {
      full.resolve()
      return blocked.promise
    }
    const done = bench.issuer.downloadCredential('c', { begin: () => {}, write })
    await full.promise
    // What the kernel keeps between the two is some megabytes; a client that read on would have swallowed all of it by then.
    let before = -1
    while (before !== handedOver) {
      before = handedOver
      for (let turn = 0; turn < 200; turn++) await new Promise((resolve) => setImmediate(resolve))
    }
    expect(handedOver).toBeLessThan(whole.length)
    blocked.resolve()
    expect((await done).bytes).toBe(whole.length)
  })

  test.each([
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['BR', brotliCompressSync],
  ])('unpacks a file that came packed by %s, though none is asked for', async (packing, pack) => {
    await using bench = await openBench()
    // Of noise, so that it comes in many pieces.
    const whole = Buffer.concat([Buffer.from('%PDF-1.7\n'), randomBytes(1_000_000)])
    const packed = pack(whole)
    const headers = { 'content-type': 'application/pdf', 'content-encoding': packing }
    const cut: Script = (_seen, response, request) => {
      response.writeHead(200, { ...headers, 'content-length': String(packed.length) })
      response.write(packed.subarray(0, 500_000), () => request.socket.destroy())
    }
    bench.server.on(path, cut, raw(200, packed, headers))
    const kept = keptDownload()
    expect(await bench.issuer.downloadCredential('c', kept)).toEqual({
      contentType: 'application/pdf',
      bytes: whole.length,
    })
    expect(kept.bytes().equals(whole)).toBe(true)
    expect(bench.server.requests(path)[0]?.headers['accept-encoding']).toBe('identity')
  })

  test('looks into a packed body for an envelope, as into any other', async () => {
    await using bench = await openBench()
    const envelope = gzipSync('{"status":404,"message":"none","payload":{}}')
    bench.server.on(path, raw(200, envelope, { 'content-encoding': 'gzip' }))
    await expect(bench.issuer.downloadCredential('c', keptDownload())).rejects.toThrow(ServiceRefusedError)
  })

  test.each([
    ['is broken', Buffer.from('no gzip at all'), 'gzip'],
    ['is cut', gzipSync(randomBytes(200_000)).subarray(0, 100_000), 'gzip'],
    ['is packed in an unknown way', Buffer.from('x'), 'compress, zstd'],
    ['grows beyond all measure', gzipSync(Buffer.alloc(70 * 2 ** 20)), 'gzip'],
  ])('refuses a packed file that %s, once', async (_what, body, packing) => {
    await using bench = await openBench()
    bench.server.on(path, raw(200, body, { 'content-encoding': packing }))
    let bytes = 0
    const write = (piece: Buffer) => {
      bytes += piece.length
    }
    await expect(bench.issuer.downloadCredential('c', { begin: () => {}, write })).rejects.toThrow(PackedBodyError)
    expect(bytes).toBeLessThanOrEqual(64 * 2 ** 20)
    expect(bench.server.requests(path)).toHaveLength(1)
  })

  test('a sink that is full in the middle of a packed file ends it', async () => {
    await using bench = await openBench()
    bench.server.on(path, raw(200, gzipSync(Buffer.alloc(5_000_000, 1)), { 'content-encoding': 'gzip' }))
    const write = () => Promise.reject(new RangeError('disk full'))
    await expect(bench.issuer.downloadCredential('c', { begin: () => {}, write })).rejects.toThrow('disk full')
  })

  test.each([
    ['HTTP 404', json(404, { status: 404, message: 'none for jo@x.example' })],
    ['an envelope under 200', json(200, { status: 404, message: 'none for jo@x.example', payload: {} })],
    [
      'an envelope that calls itself a PDF',
      raw(200, '\n{"status":"404","message":"none"}', { 'content-type': 'application/pdf' }),
    ],
  ])('tells a refusal in %s as one, and gives the sink nothing', async (_what, script) => {
    await using bench = await openBench()
    bench.server.on(path, script)
    const kept = keptDownload()
    const error = await bench.issuer.downloadCredential('c', kept).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(ServiceRefusedError)
    expect(error).toMatchObject({ status: 404, endpoint: 'credential-download' })
    expect(String(error)).not.toContain('jo@x')
    expect(kept.types).toEqual([])
  })

  test.each([
    ['an envelope that says 200', '{"status":200,"message":"ok","payload":{"link":"x"}}', 'application/json'],
    ['an open badge', '{"@context":"https://w3id.org/openbadges/v2","status":404}', 'application/ld+json'],
    ['JSON that is cut', '{"status":404,"mess', 'application/json'],
    ['HTML', '<html>', 'text/html'],
  ])('keeps %s as it came', async (_what, text, contentType) => {
    await using bench = await openBench()
    bench.server.on(path, raw(200, text, { 'content-type': contentType }))
    const kept = keptDownload()
    expect(await bench.issuer.downloadCredential('c', kept)).toEqual({ contentType, bytes: text.length })
    expect(kept.bytes().toString()).toBe(text)
  })

  test('asks again after an envelope of trouble, and renews the token after one that says 401', async () => {
    await using bench = await openBench()
    bench.server.on(path, json(200, { status: 503, message: '' }), json(200, { status: 401, message: '' }), file)
    const kept = keptDownload()
    await bench.issuer.downloadCredential('c', kept)
    expect(bench.server.requests(path).map((each) => each.headers.authorization)).toEqual([
      'Bearer access-1',
      'Bearer access-1',
      'Bearer access-2',
    ])
    expect(kept.bytes().equals(pdf)).toBe(true)
  })

  test('an empty file is no file', async () => {
    await using bench = await openBench()
    bench.server.on(path, raw(200, ''))
    await expect(bench.issuer.downloadCredential('c', keptDownload())).rejects.toThrow(WireError)
  })

  test('gives up after five tries', async () => {
    await using bench = await openBench()
    bench.server.on(path, half)
    await expect(bench.issuer.downloadCredential('c', keptDownload())).rejects.toThrow(ServiceUnreachableError)
    expect(bench.server.requests(path)).toHaveLength(5)
  })

  test.each(['begin', 'write'] as const)('what the sink throws in %s ends it at once', async (where) => {
    await using bench = await openBench()
    bench.server.on(path, file)
    const full = () => Promise.reject(new RangeError('disk full'))
    await expect(bench.issuer.downloadCredential('c', { ...keptDownload(), [where]: full })).rejects.toThrow(
      'disk full',
    )
    expect(bench.server.requests(path)).toHaveLength(1)
  })

  test('is not done before the last piece is taken, though the service has hung up', async () => {
    await using bench = await openBench()
    const gone = Promise.withResolvers<void>()
    bench.server.on(path, (_seen, response, request) => {
      request.socket.on('close', () => gone.resolve())
      response.writeHead(200, { connection: 'close' }).end(Buffer.from('%PDF'))
    })
    const write = async () => {
      await gone.promise
      for (let turn = 0; turn < 200; turn++) await new Promise((resolve) => setImmediate(resolve))
      throw new RangeError('disk full')
    }
    await expect(bench.issuer.downloadCredential('c', { begin: () => {}, write })).rejects.toThrow('disk full')
  })

  test('an id that leads elsewhere is refused, and a slash in one stays in it', async () => {
    await using bench = await openBench()
    await expect(bench.issuer.downloadCredential('..', keptDownload())).rejects.toThrow(UnusableIdError)
    bench.server.on(`${path}a%2Fb`, envelope({}))
    await bench.issuer.downloadCredential('a/b', keptDownload())
    expect(bench.server.requests(`${path}a%2Fb`)).toHaveLength(1)
  })
})
