// The CSV and XLSX encoders wait for a slow sink and report a broken one.

import { createHash } from 'node:crypto'
import { Writable } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { csvTable } from '#src/files/tables/csv-table.ts'
import { xlsxTable } from '#src/files/tables/xlsx-table.ts'

describe.each([
  ['csv', csvTable],
  ['xlsx', xlsxTable],
] as const)('the %s encoder', (_, encode) => {
  const row = ['x'.repeat(100), 'y'.repeat(100)]
  // The text is incompressible, so that a stalled sink is noticed soon.
  const noise = (n: number) => createHash('sha512').update(`${n}`).digest('base64')

  test('waits for a sink that accepts nothing more', async () => {
    const stalled = new Writable({ write() {} })
    const failure = new AbortController()
    const encoder = encode(stalled, failure.signal)
    let written = 0
    const all = (async () => {
      for (; written < 20_000; written++) await encoder.write([noise(written), noise(-written)])
    })()
    const ended = all.catch((error) => error)
    for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve))
    expect(written).toBeLessThan(20_000)
    failure.abort(new Error('given up'))
    await ended
    expect(written).toBeLessThan(20_000)
    encoder.abort()
  })

  test('throws the error of a failed sink in write and in end, instead of waiting forever', async () => {
    const failure = new AbortController()
    let takenBytes = 0
    const sink = new Writable({
      write(chunk, _encoding, done) {
        takenBytes += chunk.length
        done(takenBytes > 50_000 ? new Error('disk full') : null)
      },
    })
    sink.on('error', (error) => failure.abort(error))
    const encoder = encode(sink, failure.signal)
    const writing = (async () => {
      for (let n = 0; n < 200_000; n++) await encoder.write([noise(n), ...row])
    })()
    await expect(writing).rejects.toMatchObject({ name: 'AbortError', cause: new Error('disk full') })
    await expect(encoder.end()).rejects.toThrow('disk full')
    encoder.abort()
  })
})
