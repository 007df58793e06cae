// Tests that multipart forms are parsed into strings and files as sent.

import { describe, expect, test } from 'vitest'
import { RawForm, readForm } from '#sandboxes/service/form.ts'

async function raw(form: FormData): Promise<RawForm> {
  const request = new Response(form)
  return new RawForm(Buffer.from(await request.arrayBuffer()), request.headers.get('content-type') ?? '')
}

function formOf(...parts: [string, string | Buffer][]): FormData {
  const form = new FormData()
  for (const [name, part] of parts)
    form.append(name, typeof part === 'string' ? part : new File([Uint8Array.from(part)], 'ö "1".bin'))
  return form
}

/** A form written by hand, with its lines joined as in HTTP. */
const written = (...lines: string[]) => new RawForm(Buffer.from(lines.join('\r\n')), 'multipart/form-data; boundary=b')

describe('a form', () => {
  test('returns texts and files byte by byte', async () => {
    const bytes = Buffer.from(Array.from({ length: 200_000 }, (_, index) => (index * 7) % 256))
    const { texts, files } = await readForm(
      await raw(formOf(['größe', 'ä\r\n--b\r\n€'], ['empty', ''], ['file', bytes])),
    )
    expect([...texts]).toEqual([
      ['größe', 'ä\r\n--b\r\n€'],
      ['empty', ''],
    ])
    expect(files.get('file')?.equals(bytes)).toBe(true)
  })

  test.each([
    ['a text', formOf(['name', 'a'], ['name', 'b']), 'name twice'],
    ['a file', formOf(['file', Buffer.from('a')], ['file', Buffer.from('b')]), 'file twice'],
    ['a text and a file of one name', formOf(['file', 'a'], ['file', Buffer.from('b')]), 'file twice'],
  ])('with %s twice is refused', async (_what, form, reason) => {
    const message = expect.stringContaining(reason)
    await expect(readForm(await raw(form))).rejects.toMatchObject({ status: 400, message })
  })

  test.each([
    ['without a boundary', new RawForm(Buffer.from('x'), 'multipart/form-data')],
    ['that is cut off in a text', written('--b', 'Content-Disposition: form-data; name="a"', '', 'half')],
    ['that is cut off in a file', written('--b', 'Content-Disposition: form-data; name="a"; filename="f"', '', 'half')],
    ['that is empty', written('')],
    ['that is something else', written('{"name":"a"}')],
  ])('%s is a bad request', async (_what, form) => {
    await expect(readForm(form)).rejects.toMatchObject({ status: 400, message: expect.stringContaining('not a form') })
  })

  test('never returns an unknown field name', async () => {
    const name = 'ada@example.org'
    const refused = readForm(await raw(formOf([name, 'a'], [name, 'b'])))
    await expect(refused).rejects.toMatchObject({ message: expect.not.stringContaining(name) })
  })
})
