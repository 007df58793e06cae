// Two ways to a certificate: the download, and where that has none, a link that the report shows at that moment.

import { expect, onTestFinished, test } from 'vitest'
import { openCertificates } from '#src/downloads/open-certificates.ts'
import { LinkNotAllowedError } from '#src/issuer/link-not-allowed-error.ts'
import { openBench } from '#test/src/issuer/bench.ts'
import { keptDownload } from '#test/src/issuer/kept-download.ts'
import { envelope, json, raw } from '#test/support/scripted-server.ts'

const id = '1111-2222'
const missing = json(404, { status: 404, message: 'No such certificate.' })

/** A service whose download has nothing. @param lateMs between the question for the report and its answer */
async function openPlace({ lateMs = 0, shown = id, hosts = true } = {}) {
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
    ms += lateMs
    return page
  }
  const kept = keptDownload()
  const certificates = openCertificates({
    issuer: { ...issuer, reportPage },
    hosts: hosts ? [new URL(server.url).host] : [],
    clock: { monotonicMs: () => ms },
  })
  return { server, kept, fetch: () => certificates(id, kept), asked: (path: string) => server.requests(path).length }
}

test('a certificate that the download does not have comes by its link', async () => {
  const { kept, fetch, asked } = await openPlace()
  expect(await fetch()).toMatchObject({ contentType: 'application/pdf' })
  expect(kept.bytes().toString()).toBe('%PDF-1.7 by link')
  expect([asked('/student/report'), asked('/files/')]).toEqual([1, 1])
})

test('the report is not asked while the download has it, or refuses it in another way', async () => {
  const { server, fetch, asked } = await openPlace()
  server.on('/downloadCertificate/', json(400, { status: 400, message: 'No.' }), raw(200, '%PDF-1.7 as ever'))
  await expect(fetch()).rejects.toMatchObject({ status: 400 })
  await fetch()
  expect(asked('/student/report')).toBe(0)
})

test.each([
  ['that is older than two and a half minutes', { lateMs: 150_000 }],
  ['of another credential', { shown: '1111-2222-3' }],
])('a link %s is not asked, and the refusal of the download stands', async (_, options) => {
  const { fetch, asked } = await openPlace(options)
  await expect(fetch()).rejects.toMatchObject({ status: 404, endpoint: 'credential-download' })
  expect([asked('/student/report'), asked('/files/')]).toEqual([1, 0])
})

test('a link to a host that is not allowed is told and not asked; a dead one is told as what the download said', async () => {
  const closed = await openPlace({ hosts: false })
  await expect(closed.fetch()).rejects.toThrow(LinkNotAllowedError)
  expect(closed.asked('/files/')).toBe(0)
  const dead = await openPlace()
  dead.server.on('/files/', json(403, { status: 403, message: 'The link is dead.' }))
  await expect(dead.fetch()).rejects.toMatchObject({ status: 404, endpoint: 'credential-download' })
})
