// Downloading a certificate by its link from the report: which links are followed, and what is retried.

import { describe, expect, test } from 'vitest'
import { LinkNotAllowedError, linkAddress } from '#src/issuer/certificates/download-by-link.ts'
import { ServiceRefusedError } from '#src/issuer/classify-read.ts'
import { ServiceUnreachableError } from '#src/issuer/service-unreachable-error.ts'
import { json, openScriptedServer, raw, resetBeforeAnswer, silence } from '#test/support/scripted-server.ts'
import { openBench } from '../client-bench.ts'
import { openMemorySink } from '../memory-sink.ts'

const pdf = Buffer.from('%PDF-1.7 \u0000')
const file = raw(200, pdf, { 'content-type': 'application/pdf' })

async function openLinks() {
  const bench = await openBench()
  const { host } = new URL(bench.server.url)
  const sink = openMemorySink()
  return {
    ...bench,
    sink,
    host,
    fetch: (link: string, more = {}) => bench.issuer.downloadByLink(link, sink, { hosts: [host], ...more }),
    [Symbol.asyncDispose]: () => bench[Symbol.asyncDispose](),
  }
}

describe('linkAddress', () => {
  const hosts = ['files.example', 'OTHER.example:8443', '127.0.0.1:80', '10.0.0.1']
  test('accepts https on an allowed host, with its port, query and no fragment', () => {
    expect(linkAddress('https://files.example/a?b=c#d', hosts)).toMatchObject({
      origin: 'https://files.example',
      path: '/a?b=c',
    })
    expect(linkAddress(' https://FILES.example:443/x', hosts).origin).toBe('https://files.example')
    expect(linkAddress('https://other.example:8443/', hosts).origin).toBe('https://other.example:8443')
  })

  test.each([
    ['nothing', ''],
    ['a path', '/a'],
    ['another host', 'https://files.example.evil.example/secret'],
    ['a subdomain', 'https://x.files.example/secret'],
    ['another port', 'https://files.example:8443/secret'],
    ['plain http', 'http://files.example/secret'],
    ['plain http to a private address', 'http://10.0.0.1/secret'],
    ['another scheme', 'ftp://files.example/secret'],
    ['a file', 'file:///secret'],
    ['a user name', 'https://files.example@evil.example/secret'],
    ['a password on an allowed host', 'https://a:b@files.example/secret'],
  ])('refuses %s and does not repeat the link', (_what, link) => {
    const refused = () => linkAddress(link, hosts)
    expect(refused).toThrow(LinkNotAllowedError)
    expect(refused).not.toThrow(/secret/)
  })

  test('allows nothing if no host is given', () => {
    expect(() => linkAddress('https://files.example/', [])).toThrow(LinkNotAllowedError)
  })
})

describe('downloadByLink', () => {
  test('downloads the file through its own gate, and sends no token', async () => {
    await using links = await openLinks()
    links.server.on('/file', file)
    await links.issuer.checkToken()
    const link = `${links.server.url}/file?signature=x`
    expect(await links.fetch(link)).toEqual({ contentType: 'application/pdf', bytes: pdf.length })
    expect(links.sink.bytes()).toEqual(pdf)
    const [seen] = links.server.requests('/file')
    expect(seen?.path).toBe('/file?signature=x')
    expect(seen?.headers).not.toHaveProperty('authorization')
    expect(links.gates['certificate-link']?.passes).toBe(1)
  })

  test('does not request a link that has expired, even if it was valid at the first attempt', async () => {
    await using links = await openLinks()
    links.server.on('/file', raw(503, 'later'), file)
    let checks = 0
    const isFresh = () => ++checks < 2
    await expect(links.fetch(`${links.server.url}/file`, { isFresh })).rejects.toThrow(ServiceUnreachableError)
    expect(links.server.requests('/file')).toHaveLength(1)
    await expect(links.fetch(`${links.server.url}/file`, { isFresh })).rejects.toThrow(ServiceUnreachableError)
    expect(links.server.requests('/file')).toHaveLength(1)
  })

  test('sends no request if the host is not allowed', async () => {
    await using links = await openLinks()
    await expect(links.fetch(`${links.server.url}/file`, { hosts: ['files.example'] })).rejects.toThrow(
      LinkNotAllowedError,
    )
    expect(links.server.seen).toHaveLength(0)
  })

  test('follows a redirect on an allowed host, but not to another host', async () => {
    await using links = await openLinks()
    const elsewhere = await openScriptedServer()
    try {
      links.server.on('/moved', raw(302, '', { location: '/file' }))
      links.server.on('/file', file)
      links.server.on('/away', raw(307, '', { location: `${elsewhere.url}/file` }))
      await links.fetch(`${links.server.url}/moved`)
      expect(links.sink.bytes()).toEqual(pdf)
      await expect(links.fetch(`${links.server.url}/away`)).rejects.toThrow(/redirect was not followed/)
      expect(elsewhere.seen).toHaveLength(0)
    } finally {
      await elsewhere.close()
    }
  })

  test('follows three redirects but not a fourth', async () => {
    await using links = await openLinks()
    links.server.on('/round', raw(302, '', { location: '/round' }))
    await expect(links.fetch(`${links.server.url}/round`)).rejects.toThrow(ServiceRefusedError)
    expect(links.server.requests('/round')).toHaveLength(4)
  })

  test.each([401, 403, 404, 410])('reports an expired link after %i, without a retry', async (status) => {
    await using links = await openLinks()
    links.server.on('/file', raw(status, 'expired'))
    await expect(links.fetch(`${links.server.url}/file?signature=hush`)).rejects.toThrow(/three minutes/)
    await expect(links.fetch(`${links.server.url}/file?signature=hush`)).rejects.not.toThrow(/hush/)
    expect(links.server.requests('/file')).toHaveLength(2)
  })

  test('reports an error envelope as an error', async () => {
    await using links = await openLinks()
    links.server.on('/file', json(200, { status: 404, message: 'gone' }))
    await expect(links.fetch(`${links.server.url}/file`)).rejects.toThrow(/gone/)
    expect(links.sink.types).toEqual([])
  })

  test('makes three attempts in total after temporary faults', async () => {
    await using links = await openLinks()
    links.server.on('/file', resetBeforeAnswer, raw(503, ''), file)
    await links.fetch(`${links.server.url}/file`)
    expect(links.sink.bytes()).toEqual(pdf)
    links.server.on('/file', raw(503, ''))
    await expect(links.fetch(`${links.server.url}/file`)).rejects.toThrow(ServiceUnreachableError)
    expect(links.server.requests('/file')).toHaveLength(6)
  })

  test('aborts immediately if the file is too large, and at the deadline if the host does not answer', async () => {
    await using links = await openLinks()
    links.server.on('/long', raw(200, Buffer.alloc(500_000, 0x25)))
    await expect(links.fetch(`${links.server.url}/long`, { maxBytes: 100_000 })).rejects.toThrow(
      /longer than the limit/,
    )
    expect(links.server.requests('/long')).toHaveLength(1)
    expect(links.sink.bytes().length).toBeLessThanOrEqual(100_000)
    links.server.on('/silent', silence)
    await expect(links.fetch(`${links.server.url}/silent`, { deadlineMs: 100 })).rejects.toThrow(/DEADLINE/)
  })
})
