import { readdir, readFile, stat, utimes, writeFile } from 'node:fs/promises'
import { request as httpRequest } from 'node:http'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startWorker, type Worker } from '#jobs/worker.ts'
import { openRehearsals } from '#src/extensions/console/uploads/open-rehearsals.ts'
import { openUploads, type Upload, type Uploads } from '#src/extensions/console/uploads/open-uploads.ts'
import type { FinishedRehearsal } from '#src/extensions/console/uploads/rehearsal-record.ts'
import { removeOldUploads, uploadMs } from '#src/extensions/console/uploads/remove-old-uploads.ts'
import {
  type ConsoleAnswer,
  type ConsoleWorld,
  multipart,
  multipartType,
  openConsoleWorld,
} from '#test/support/console-world.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { until } from '#test/support/until.ts'
import { peopleCsv } from '#test/support/world.ts'

describeWithDatabase('a list that is uploaded', () => {
  let console: ConsoleWorld
  let worker: Worker | null
  let uploads: Uploads
  let cookie: string

  beforeAll(async () => {
    console = await openConsoleWorld({ morePipelines: (first) => ({ autumn: { ...first, brake: { rows: 10 } } }) })
    worker = await startWorker(console.world.app)
    uploads = openUploads(console.world.settings.dataDir)
    cookie = await console.signedIn('registrar')
  })
  afterAll(async () => {
    await worker?.stop()
    await console[Symbol.asyncDispose]()
  })

  const send = (content: string | Buffer, { name = 'list.csv', pipeline = 'spring', as = cookie } = {}) =>
    console.ask('/upload', { cookie: as, upload: { fields: { pipeline }, file: { name, content } } })

  const idIn = ({ headers }: ConsoleAnswer) => /^\/upload\/([0-9a-f-]{36})$/.exec(String(headers.location))?.[1] ?? ''

  async function rehearsed(id: string): Promise<FinishedRehearsal> {
    const find = async () => {
      const rehearsal = await uploads.rehearsalOf(id)
      return rehearsal !== null && rehearsal.kind !== 'under way'
    }
    await until('the rehearsal to end', find)
    // Its lock is released a moment later.
    await console.world.app.ledger.locks.withLock(`upload:${id}`, async () => {})
    return (await uploads.rehearsalOf(id)) as FinishedRehearsal
  }

  async function sendAndRehearse(content: string | Buffer, options: Parameters<typeof send>[1] = {}) {
    const id = idIn(await send(content, options))
    return { id, rehearsal: await rehearsed(id), upload: (await uploads.find(id)) as Upload }
  }

  const issue = (id: string, { at, basis }: Pick<FinishedRehearsal, 'at' | 'basis'>, as = cookie) =>
    console.ask(`/upload/${id}/issue`, { cookie: as, form: { rehearsed: at, sha256: basis.sha256 } })

  const acts = async () =>
    (await console.world.app.ledger.consoleActs.page({ before: null, limit: 50 })).map(({ by, act }) => `${by} ${act}`)

  test('is rehearsed, shown, issued once, and then removed', async () => {
    const content = `${peopleCsv(3, 100)}nobody,Cy,Invalid\nperson.100@example.org,Ada100,Lovelace\n`
    const { id, upload } = await sendAndRehearse(content, { name: '../../etc/<b>Prüfung</b>.csv' })
    expect(upload).toMatchObject({
      name: 'b>.csv',
      pipeline: 'spring',
      by: 'registrar',
      bytes: Buffer.byteLength(content),
    })
    expect((await stat(uploads.pathOf(upload))).mode & 0o777).toBe(0o600)
    const shown = await console.ask(`/upload/${id}`, { cookie })
    expect(shown.text).toContain('Issue 3 credentials')
    expect(shown.text).not.toContain('person.100@example.org')
    expect(shown.text).toContain('p…@e….org')
    const named = await console.ask(`/upload/${id}/show`, { cookie, form: {} })
    expect(named.text).toContain('person.100@example.org')
    expect(await acts()).toContain('registrar looked at people in a rehearsal')

    const rehearsal = await rehearsed(id)
    const [first, second] = await Promise.all([issue(id, rehearsal), issue(id, rehearsal)])
    const answers = [first, second].map(({ status, headers }) => (status === 303 ? headers.location : status))
    const run = String(answers.find((each) => String(each).startsWith('/runs/'))).replace('/runs/', '')
    expect(answers.every((each) => each === 409 || each === `/runs/${run}`)).toBe(true)
    const { ledger } = console.world.app
    await until('the list to be read', async () => (await ledger.runs.find(run))?.state === 'published')
    expect(await ledger.runs.find(run)).toMatchObject({ accepted: 3, invalid: 1, sourceName: 'b>.csv' })
    expect((await issue(id, rehearsal)).headers.location).toBe(`/runs/${run}`)
    expect((await console.ask(`/upload/${id}`, { cookie })).headers.location).toBe(`/runs/${run}`)
    expect((await ledger.runs.list()).filter(({ sourceSha256 }) => sourceSha256 === upload.sha256)).toHaveLength(1)
    await removeOldUploads(console.world.app, uploads, console.now())
    await expect(stat(uploads.pathOf(upload))).rejects.toThrow('ENOENT')
    expect(await uploads.rehearsalOf(id)).toBeNull()
    expect(await uploads.find(id)).toMatchObject({ id })
  })

  test('is seen by those who see its pipeline', async () => {
    const { id } = await sendAndRehearse(peopleCsv(1, 150))
    const other = await console.signedIn('registrar', { name: 'other', pipelines: ['autumn'] })
    for (const path of [`/upload/${id}`, `/upload/${id}/progress`])
      expect((await console.ask(path, { cookie: other })).status).toBe(404)
    for (const act of ['show', 'rehearse', 'issue', 'discard'])
      expect((await console.ask(`/upload/${id}/${act}`, { cookie: other, form: {} })).status).toBe(404)
    expect((await console.ask('/upload', { cookie: other })).text).not.toContain(id)
    expect((await console.ask('/upload', { cookie })).text).toContain(id)
    const refused = await send(peopleCsv(1), { as: other })
    expect([refused.status, refused.text]).toEqual([422, expect.stringContaining('Choose the pipeline.')])
  })

  test('is not issued if the file, the ledger, the settings or the rehearsal is another than was seen', async () => {
    const { id, rehearsal, upload } = await sendAndRehearse(peopleCsv(2, 200))
    expect((await issue(id, { ...rehearsal, at: '2026-01-01T00:00:00.000Z' })).status).toBe(409)
    expect((await issue(id, { ...rehearsal, basis: { ...rehearsal.basis, sha256: '0'.repeat(64) } })).status).toBe(409)

    const { ledger } = console.world.app
    const run = await console.world.receive('between.csv', peopleCsv(1, 200))
    await console.world.app.queues.enqueue('intake', { runId: run })
    await until('another list to be read', async () => (await ledger.runs.find(run))?.state === 'published')
    expect((await issue(id, rehearsal)).headers.location).toBe(`/upload/${id}`)
    const again = await rehearsed(id)
    expect(again.because).toEqual(['Other rows of this course have come into the ledger.'])
    expect(again.document).toMatchObject({ new: 1, known: 1 })

    for (const [change, sentence] of [
      [{ settings: 'other' }, 'The settings of the pipeline were changed.'],
      [{ fields: 'other' }, 'The fields of the course were changed in the service.'],
      [{ lastErasure: '2026-01-01' }, 'The data of somebody were deleted.'],
    ] as const) {
      const now = await rehearsed(id)
      await uploads.keepRehearsal(id, { ...now, basis: { ...now.basis, ...change } })
      await issue(id, now)
      expect((await rehearsed(id)).because).toEqual([sentence])
    }
    const now = await rehearsed(id)
    await uploads.keepRehearsal(id, { ...now, document: { ...now.document, brake: 'too many' } })
    await issue(id, now)
    expect((await rehearsed(id)).because).toEqual(['The brake decides otherwise by now.'])

    await writeFile(uploads.pathOf(upload), 'and one row more', { flag: 'a' })
    await issue(id, await rehearsed(id))
    expect(await rehearsed(id)).toMatchObject({ kind: 'refused', sentence: expect.stringContaining('changed after') })
    expect((await ledger.runs.list()).filter(({ sourceSha256 }) => sourceSha256 === upload.sha256)).toEqual([])
  })

  test('says what is wrong if it cannot be issued', async () => {
    const { id } = await sendAndRehearse('colour,<script>alert(1)</script>\nred,2\n')
    const { text } = await console.ask(`/upload/${id}`, { cookie })
    expect(text).toContain('This list cannot be issued')
    expect(text).toContain('&lt;script&gt;')
    expect(text).not.toContain('<script>alert')
    const png = await sendAndRehearse('\u0089PNG\r\n\u001a\n0000', { name: 'photo.csv' })
    expect(png.rehearsal.kind).toBe('refused')
    const latin = await sendAndRehearse(Buffer.from('Email,First Name,Last Name\na@x.org,J\xfcrgen,King\n', 'latin1'))
    expect((await console.ask(`/upload/${latin.id}`, { cookie })).text).toMatch(
      /neither UTF-8 nor UTF-16, but probably windows-1252: see line 2, which has “…ü…” in windows-1252\..* UTF-8: .* file\.encoding/,
    )
  })

  test('would be held by the brake, and says so', async () => {
    const operator = await console.signedIn('operator')
    const { id, rehearsal } = await sendAndRehearse(peopleCsv(12, 300), { pipeline: 'autumn', as: operator })
    const { text } = await console.ask(`/upload/${id}`, { cookie: operator })
    expect(text).toContain('The brake would hold this list')
    const run = String((await issue(id, rehearsal, operator)).headers.location).replace('/runs/', '')
    const { ledger } = console.world.app
    await until('the brake to hold it', async () => (await ledger.runs.find(run))?.state === 'braked')
    // It is read again once somebody approves it, whenever that is.
    await removeOldUploads(console.world.app, uploads, new Date(console.now().getTime() + 9 * uploadMs))
    expect(await uploads.find(id)).not.toBeNull()
    await ledger.brake.approve(run, { by: 'test', why: '' })
    await console.world.app.queues.enqueue('intake', { runId: run })
    await until('it to be read again', async () => (await ledger.runs.find(run))?.state === 'published')
  })

  test('is rehearsed again after a kill, but not for ever', async () => {
    const { id } = await sendAndRehearse(peopleCsv(1, 400))
    for (const [tries, kind] of [
      [1, 'finished'],
      [3, 'failed'],
    ] as const) {
      await uploads.keepRehearsal(id, { kind: 'under way', tries, because: [] })
      await using next = openRehearsals(console.world.app, uploads)
      await next.resume()
      expect((await rehearsed(id)).kind).toBe(kind)
    }
    const { text } = await console.ask(`/upload/${id}`, { cookie })
    expect(text).toContain('interrupted 3 times')
    await console.ask(`/upload/${id}/rehearse`, { cookie, form: {} })
    expect((await rehearsed(id)).kind).toBe('finished')
  })

  test('is not rehearsed, issued or discarded by two processes at once', async () => {
    const { id, rehearsal } = await sendAndRehearse(peopleCsv(1, 450))
    await console.world.app.ledger.locks.withLock(`upload:${id}`, async () => {
      for (const answer of [
        await issue(id, rehearsal),
        await console.ask(`/upload/${id}/discard`, { cookie, form: {} }),
      ])
        expect([answer.status, answer.text]).toEqual([409, expect.stringContaining('rehearsed or issued right now')])
    })
    expect((await console.ask(`/upload/${id}/discard`, { cookie, form: {} })).headers.location).toBe('/upload')
    expect(await uploads.find(id)).toBeNull()
    const gone = await console.ask(`/upload/${id}`, { cookie })
    expect([gone.status, gone.text]).toEqual([404, expect.stringContaining('on another machine')])
  })

  test('goes after a day, and a part of one after an hour', async () => {
    const { id } = await sendAndRehearse(peopleCsv(1, 500))
    const part = await uploads.begin()
    await writeFile(join(part.folder, 'list.csv'), 'Email')
    const later = (ms: number) => removeOldUploads(console.world.app, uploads, new Date(console.now().getTime() + ms))
    await later(uploadMs - 60_000)
    expect(await uploads.find(id)).not.toBeNull()
    expect((await uploads.unfinished()).map((each) => each.id)).toEqual([])
    await later(uploadMs + 60_000)
    expect(await uploads.find(id)).toBeNull()
    const fresh = await uploads.begin()
    await later(0)
    expect((await uploads.unfinished()).map((each) => each.id)).toEqual([fresh.id])
    await utimes(fresh.folder, 0, 0)
    await uploads.remove(fresh.id)
  })

  const folders = async () => (await readdir(join(console.world.settings.dataDir, 'uploads'))).sort()

  test('counts for nothing unless it arrives whole', async () => {
    const before = await folders()
    const body = multipart({ fields: { pipeline: 'spring' }, file: { name: 'a.csv', content: peopleCsv(500, 600) } })
    const headers = {
      ...{ host: `127.0.0.1:${console.port}`, origin: `http://127.0.0.1:${console.port}`, cookie },
      'content-type': multipartType,
    }
    // The browser goes away in the middle.
    const broken = httpRequest({
      port: console.port,
      path: '/upload',
      method: 'POST',
      headers: { ...headers, 'content-length': body.length },
    })
    broken.on('error', () => {})
    broken.write(body.subarray(0, 9_000))
    await until('its file to begin', async () => (await folders()).length > before.length)
    broken.destroy()
    await until('it to be gone', async () => (await folders()).length === before.length)
    // The form ends before its file does.
    const short = await console.ask('/upload', {
      cookie,
      method: 'POST',
      headers: { ...headers, 'content-length': '0' },
    })
    expect(short.status).toBe(400)
    expect(await folders()).toEqual(before)
  })

  test.each([
    ['no boundary', { 'content-type': 'multipart/form-data' }, 400, 'did not arrive whole'],
    ['another type', { 'content-type': 'application/json' }, 415, 'cannot be read'],
    ['no size', { 'transfer-encoding': 'chunked' }, 411, 'did not arrive with it'],
    ['more than any list has', { 'content-length': String(3 * 1024 ** 3) }, 413, 'larger than 2048 MiB'],
    ['another origin', { origin: 'https://evil.example' }, 403, 'does not come from a page of the console'],
  ])('is refused with %s', async (_, headers, status, words) => {
    const before = await folders()
    const { promise, resolve, reject } = Promise.withResolvers<[number, string]>()
    const body = multipart({ fields: { pipeline: 'spring' }, file: { name: 'a.csv', content: peopleCsv(1) } })
    const sent = httpRequest({
      ...{ port: console.port, path: '/upload', method: 'POST' },
      headers: {
        ...{ host: `127.0.0.1:${console.port}`, origin: `http://127.0.0.1:${console.port}`, cookie },
        ...(!('transfer-encoding' in headers) && { 'content-length': String(body.length) }),
        ...{ 'content-type': multipartType, ...headers },
      },
    })
    sent.on('error', reject).on('response', async (response) => {
      const chunks: Buffer[] = []
      for await (const chunk of response) chunks.push(chunk as Buffer)
      resolve([response.statusCode ?? 0, Buffer.concat(chunks).toString()])
    })
    // Not ended: only an answer shows that nobody waited for the rest.
    sent.write(body)
    const [found, text] = await promise
    sent.destroy()
    expect([found, text]).toEqual([status, expect.stringContaining(words)])
    expect(await folders()).toEqual(before)
  })

  test('is refused without a file, without content, and without a pipeline', async () => {
    const before = await folders()
    expect((await send('', { name: '' })).text).toContain('Choose a file.')
    expect((await send('')).text).toContain('The file is empty.')
    expect((await send(peopleCsv(1), { pipeline: '' })).text).toContain('Choose the pipeline.')
    expect((await send(peopleCsv(1), { pipeline: 'no such' })).status).toBe(422)
    expect(await folders()).toEqual(before)
  })

  test('is kept apart from others that arrive at the same time', async () => {
    const answers = await Promise.all([0, 1, 2].map((n) => send(peopleCsv(400, 1_000 + n), { name: 'same.csv' })))
    const found = await Promise.all(answers.map(async (answer) => (await uploads.find(idIn(answer))) as Upload))
    expect(new Set(found.map(({ sha256 }) => sha256)).size).toBe(3)
    for (const [n, upload] of found.entries())
      expect(await readFile(uploads.pathOf(upload), 'utf8')).toBe(peopleCsv(400, 1_000 + n))
    await Promise.all(found.map(({ id }) => rehearsed(id)))
  })
})
