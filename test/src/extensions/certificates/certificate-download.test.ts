// Downloading a certificate from the download endpoint or, if that responds with 404, through the link in the report.

import { expect, onTestFinished, test } from 'vitest'
import { certificateHosts, openCertificateDownload } from '#src/extensions/certificates/certificate-download.ts'
import { LinkNotAllowedError } from '#src/issuer/certificates/download-by-link.ts'
import { openBench } from '#test/src/issuer/client-bench.ts'
import { openMemorySink } from '#test/src/issuer/memory-sink.ts'
import { envelope, json, raw } from '#test/support/scripted-server.ts'

const id = '1111-2222'
const missing = json(404, { status: 404, message: 'No such certificate.' })

/**
 * Starts a service whose download endpoint responds with 404.
 * @param delayMs how late the response with the report arrives
 */
async function openTestService({ delayMs = 0, shown = id, hosts = true } = {}) {
  const bench = await openBench()
  onTestFinished(() => bench[Symbol.asyncDispose]())
  const { server, issuer } = bench
  const link = `${server.url}/files/${id}?signature=x`
  server.on('/downloadCertificate/', missing)
  server.on(
    '/student/report',
    envelope({ data: [{ credential_id: shown, certificate_path: link }] }, { filteredRecords: 1 }),
  )
  server.on('/files/', raw(200, '%PDF-1.7 by link', { 'content-type': 'application/pdf' }))
  let ms = 0
  const reportPage: typeof issuer.reportPage = async (query) => {
    const page = await issuer.reportPage(query)
    ms += delayMs
    return page
  }
  const sink = openMemorySink()
  const certificates = openCertificateDownload({
    issuer: { ...issuer, reportPage },
    hosts: hosts ? [new URL(server.url).host] : [],
    clock: { monotonicMs: () => ms },
  })
  return {
    server,
    sink,
    fetch: () => certificates(id, sink),
    requestCount: (path: string) => server.requests(path).length,
  }
}

test('a certificate that the download endpoint does not have is fetched through its link', async () => {
  const { sink, fetch, requestCount } = await openTestService()
  expect(await fetch()).toMatchObject({ contentType: 'application/pdf' })
  expect(sink.bytes().toString()).toBe('%PDF-1.7 by link')
  expect([requestCount('/student/report'), requestCount('/files/')]).toEqual([1, 1])
})

test('the report is not read if the download succeeds or is refused for another reason', async () => {
  const { server, fetch, requestCount } = await openTestService()
  server.on('/downloadCertificate/', json(400, { status: 400, message: 'No.' }), raw(200, '%PDF-1.7 as ever'))
  await expect(fetch()).rejects.toMatchObject({ status: 400 })
  await fetch()
  expect(requestCount('/student/report')).toBe(0)
})

test.each([
  ['that is older than two and a half minutes', { delayMs: 150_000 }],
  ['of another credential', { shown: '1111-2222-3' }],
])('a link %s is not followed, and the refusal by the download endpoint is reported', async (_, options) => {
  const { fetch, requestCount } = await openTestService(options)
  await expect(fetch()).rejects.toMatchObject({ status: 404, endpoint: 'credential-download' })
  expect([requestCount('/student/report'), requestCount('/files/')]).toEqual([1, 0])
})

test('a link to a host that is not allowed is reported and not followed; if a link is refused, the refusal by the download endpoint is reported', async () => {
  const closed = await openTestService({ hosts: false })
  await expect(closed.fetch()).rejects.toThrow(LinkNotAllowedError)
  expect(closed.requestCount('/files/')).toBe(0)
  const expired = await openTestService()
  expired.server.on('/files/', json(403, { status: 403, message: 'The link has expired.' }))
  await expect(expired.fetch()).rejects.toMatchObject({ status: 404, endpoint: 'credential-download' })
})

test('a link may lead to the configured hosts, or to the host of the service if none is configured', () => {
  const hostsFor = (hosts: string[]) =>
    certificateHosts({ baseUrl: 'https://api.example:8443/v1', file: { service: { certificateHosts: hosts } } })
  expect(hostsFor([])).toEqual(['api.example:8443'])
  expect(hostsFor(['files.example', 'cdn.example'])).toEqual(['files.example', 'cdn.example'])
})
