// Tests uploads to the sandbox and its sample files: what is accepted, what is refused, and that the rules are the same
// as for JSON.

import exceljs from 'exceljs'
import JSZip from 'jszip'
import { describe, expect, test } from 'vitest'
import { aPng } from '#test/support/portraits.ts'
import { paths, type Visitor, visitSandbox } from './visitor.ts'

const samples = '/api/institute/v1/batch/download'

async function sheet(...rows: string[][]): Promise<Buffer> {
  const workbook = new exceljs.Workbook()
  workbook.addWorksheet('Any name').addRows(rows)
  return Buffer.from(await workbook.xlsx.writeBuffer())
}

async function zip(files: Record<string, Buffer>): Promise<Buffer> {
  const archive = new JSZip()
  for (const [name, bytes] of Object.entries(files)) archive.file(name, bytes)
  return archive.generateAsync({ type: 'nodebuffer' })
}

const header = ['Email *', 'FIRST NAME', 'Last Name', 'Primary Value', 'Photo']
const row = (name: string, photo = '') => [`${name}@example.org`, 'Ada', 'Lovelace', 'Email', photo]

async function send({ sandbox, course, signIn }: Visitor, file: Buffer | null, more: Record<string, string> = {}) {
  const { accessToken } = await signIn()
  const body = new FormData()
  const fields = {
    course_uuid: course.uuid,
    template_uuid: course.templateUuid,
    badge_template_uuid: course.badgeTemplateUuid,
  }
  for (const [name, value] of Object.entries({ ...fields, ...more })) body.set(name, value)
  if (file) body.set('file', new Blob([Uint8Array.from(file)]), 'recipients.bin')
  const headers = { authorization: `Bearer ${accessToken}` }
  const answer = await fetch(sandbox.url + paths.invite, { method: 'POST', headers, body })
  return { http: answer.status, message: ((await answer.json()) as { message: string }).message }
}

describe('an upload', () => {
  test('of a sheet is read by its column names, and journaled like JSON', async () => {
    const visitor = await visitSandbox()
    expect(await send(visitor, await sheet(header, row('a'), row('b')))).toMatchObject({ http: 200 })
    expect(visitor.sandbox.requests()).toMatchObject([
      {
        student: { Email: 'a@example.org', 'First Name': 'Ada', 'Last Name': 'Lovelace', 'Primary Value': 'Email' },
        image: null,
      },
      { student: { Email: 'b@example.org' }, image: null },
    ])
    expect(visitor.sandbox.journal()).toMatchObject({ invitesAccepted: 1, recipientsAccepted: 2 })
    const committed = visitor.sandbox.entries().filter((entry) => entry.kind === 'committed')
    expect(committed).toMatchObject([{ recipients: 2, requests: [expect.any(String), expect.any(String)] }])
  })

  test('of a zip gives each recipient the image that the row names', async () => {
    const visitor = await visitSandbox()
    const list = await sheet(header, row('a', '1.png'), row('b', '2.png'), row('c'))
    const file = await zip({ 'list.xlsx': list, '1.png': aPng('1'), '2.png': aPng('2') })
    const lists = { signature: '[{"uuid":"s","signature_req":true}]', sponsor: '["p"]' }
    expect(await send(visitor, file, lists)).toMatchObject({ http: 200 })
    const images = visitor.sandbox.requests().map(({ image }) => image)
    expect(images).toEqual([expect.stringMatching(/^[0-9a-f]{64}$/), expect.stringMatching(/^[0-9a-f]{64}$/), null])
    expect(images[0]).not.toBe(images[1])
  })

  test.each([
    ['an image that no row names', { '1.png': aPng('1'), '2.png': aPng('2') }, ['1.png'], 'not exactly those'],
    ['a row whose image is not there', { '1.png': aPng('1') }, ['1.png', '2.png'], 'not exactly those'],
    ['a file that is not an image', { '1.png': Buffer.from('<html>') }, ['1.png'], 'not a jpg, jpeg or png'],
    ['another file', { '1.png': aPng('1'), 'notes.txt': Buffer.from('x') }, ['1.png'], 'not a jpg, jpeg or png'],
  ])('of a zip with %s is refused as a whole', async (_what, images: Record<string, Buffer>, photos, reason) => {
    const visitor = await visitSandbox()
    const list = await sheet(header, ...photos.map((photo, index) => row(`p${index}`, photo)))
    const answer = await send(visitor, await zip({ 'list.xlsx': list, ...images }))
    expect(answer).toMatchObject({ http: 400, message: expect.stringContaining(reason) })
    expect(visitor.sandbox.requests()).toEqual([])
  })

  test.each([
    ['a column that the sample does not have', [[...header, 'Shoe Size'], row('a')], 'does not have'],
    ['the same column twice', [[...header, 'email'], row('a')], 'twice'],
    ['a bad recipient', [header, row('good'), row('no address')], 'recipient 2: Email'],
    ['no recipients', [header], 'holds no recipients'],
    ['a photo and no zip', [header, row('a', '1.png')], 'not exactly those'],
  ])('of a sheet with %s is refused as a whole', async (_what, rows, reason) => {
    const visitor = await visitSandbox()
    const answer = await send(visitor, await sheet(...rows))
    expect(answer).toMatchObject({ http: 400, message: expect.stringContaining(reason) })
    expect(visitor.sandbox.requests()).toEqual([])
  })

  test.each([
    ['without a file', null, {}, 'file is required'],
    ['with a flag, which is not documented for it', 'sheet', { is_hide_in_wallet: 'true' }, 'not documented'],
    ['with a list that is not JSON', 'sheet', { sponsor: 'p,q' }, 'sponsor must be a JSON array'],
    ['that is not a workbook', 'text', {}, 'neither an Excel sheet nor a zip'],
  ])('%s is refused', async (_what, kind, more: Record<string, string>, reason) => {
    const visitor = await visitSandbox()
    const file = kind === null ? null : kind === 'sheet' ? await sheet(header, row('a')) : Buffer.from('Email\na@x')
    expect(await send(visitor, file, more)).toMatchObject({ http: 400, message: expect.stringContaining(reason) })
    expect(visitor.sandbox.requests()).toEqual([])
  })

  test('is 413 over the maximum number of recipients, and subject to faults like any invitation', async () => {
    const visitor = await visitSandbox({ maxBatch: 2 })
    expect(await send(visitor, await sheet(header, row('a'), row('b'), row('c')))).toMatchObject({ http: 413 })
    visitor.sandbox.injectFaults({ partialCommit: { share: 1, take: 'prefix', answer: 500 } })
    expect(await send(visitor, await sheet(header, row('a'), row('b')))).toMatchObject({ http: 500 })
    expect(visitor.sandbox.requests()).toHaveLength(1)
  })
})

describe('the samples of a course', () => {
  async function download({ sandbox, course, signIn }: Visitor, name: string, uuid = course.uuid) {
    const { accessToken } = await signIn()
    const headers = { authorization: `Bearer ${accessToken}`, 'content-type': 'application/json' }
    const body = JSON.stringify({ course_uuid: uuid })
    const answer = await fetch(`${sandbox.url}${samples}/${name}`, { method: 'POST', headers, body })
    return {
      http: answer.status,
      type: answer.headers.get('content-type'),
      bytes: Buffer.from(await answer.arrayBuffer()),
    }
  }
  async function rowsOf(bytes: Buffer): Promise<string[][]> {
    const workbook = new exceljs.Workbook()
    await workbook.xlsx.load(bytes as unknown as exceljs.Buffer)
    const rows: string[][] = []
    workbook.worksheets[0]?.eachRow((each) => rows.push((each.values as string[]).slice(1)))
    return rows
  }

  test('are a sheet with the fields of the course and an example, and a zip of it with the image', async () => {
    const visitor = await visitSandbox()
    const plain = await download(visitor, 'sample-sheet')
    expect(plain.type).toContain('spreadsheetml')
    const [titles, example] = await rowsOf(plain.bytes)
    expect(titles?.slice(0, 2)).toEqual(['Email *', 'First Name *'])
    expect(titles?.at(-1)).toBe('Photo')
    expect(example?.[0]).toBe('ada@example.org')
    const data = await download(visitor, 'sample-data')
    expect(data.type).toBe('application/zip')
    const { files } = await JSZip.loadAsync(data.bytes)
    expect(Object.keys(files)).toEqual(['sample.xlsx', 'example.png'])
  })

  test('have no column for images if the template shows none, and are 404 for an unknown course', async () => {
    const visitor = await visitSandbox()
    const other = visitor.sandbox.courses[1]?.uuid
    const [titles] = await rowsOf((await download(visitor, 'sample-sheet', other)).bytes)
    expect(titles).not.toContain('Photo')
    expect((await download(visitor, 'sample-sheet', 'nowhere')).http).toBe(404)
  })
})
