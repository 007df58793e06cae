// Files are read in a thread with limits: its messages are complete, and it is terminated if it takes too much time or
// memory.

import { execFile, execFileSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, test } from 'vitest'
import { openSource } from '#src/files/tables/open-source.ts'
import { refusalsOf, SourceError } from '#src/files/tables/source-error.ts'
import { openSourceFile } from '#src/files/tables/source-file.ts'
import { sourceLimits } from '#src/files/tables/source-limits.ts'
import { openReadingThread } from '#src/files/tables/thread/reading-thread.ts'
import { steppedClock } from '#test/support/clock.ts'
import { withFile } from '#test/support/read-source.ts'
import { inlineRow, writeWorkbook } from '#test/support/written-workbook.ts'

// The first reading in a process compiles the code of the threads; later ones start immediately.
beforeAll(() =>
  withFile('A\n1\n', async (path) => {
    await using _ = await openSource(path)
  }),
)

// These empty lines keep the parser busy for a while without yielding a row.
const blank = '\n'.repeat(300_000)

describe('a file that yields no rows for too long', () => {
  test.each([
    ['the time allowed for one reply', {}, '1m'],
    ['the time allowed for the whole file', { readingMs: 5_000 }, '5s'],
  ])('is refused after %s', (_, limits, limit) =>
    withFile(`A,B\n${blank}`, async (path) => {
      const clock = steppedClock()
      await using file = await openSourceFile(path, 'followed')
      const opening = openSource(file, { limits }, clock)
      const refused = expect(opening).rejects.toMatchObject({ code: 'limit', sentence: expect.stringContaining(limit) })
      await clock.advance(60_000)
      await refused
    }),
  )

  test('is refused even if it yielded rows before', () =>
    withFile(`A,B\n${'1,2\n'.repeat(2_000)}${blank}`, async (path) => {
      const clock = steppedClock()
      await using source = await openSource(path, {}, clock)
      const batches = source.batches()[Symbol.asyncIterator]()
      for (let rows = 0; rows < 2_000; ) rows += (await batches.next()).value?.length ?? 0
      const refused = expect(batches.next()).rejects.toMatchObject({ code: 'limit' })
      await clock.advance(60_000)
      await refused
    }))

  test('does not block the reading of another file', () =>
    withFile(`A,B\n${blank}`, (slow) =>
      withFile('A\n1\n', async (quick) => {
        const clock = steppedClock()
        await using file = await openSourceFile(slow, 'followed')
        const opening = openSource(file, {}, clock)
        await using source = await openSource(quick)
        for await (const batch of source.batches()) expect(batch).toHaveLength(1)
        const refused = expect(opening).rejects.toMatchObject({ code: 'limit' })
        await clock.advance(60_000)
        await refused
      }),
    ))
})

test('time during which no one waits for rows is not counted', () =>
  withFile(`A,B\n${'1,2\n'.repeat(2_000)}`, async (path) => {
    const clock = steppedClock()
    await using source = await openSource(path, {}, clock)
    let rows = 0
    for await (const batch of source.batches()) {
      rows += batch.length
      await clock.advance(1_000_000)
    }
    expect(rows).toBe(2_000)
  }))

test('a small workbook whose cells all refer to one long string is refused when the thread runs out of memory', () => {
  const cells = `<row>${'<c t="s"><v>0</v></c>'.repeat(500)}</row>`
  const bytes = writeWorkbook({
    sharedStrings: `<si><t>${'x'.repeat(32_000)}</t></si>`,
    rows: inlineRow('A') + cells.repeat(200),
  })
  return withFile(bytes, async (path) => {
    const opening = openSource(path, { limits: { heapMegabytes: 32 } })
    await expect(opening).rejects.toMatchObject({ code: 'limit', sentence: expect.stringContaining('32 MB') })
  })
})

describe('a thread', () => {
  test('that ends before it replies counts as a refusal of this request and of every later one', () =>
    withFile('A\n1\n', async (path) => {
      await using file = await openSourceFile(path, 'followed')
      const thread = await openReadingThread(file, {}, { limits: sourceLimits, refuse: refusalsOf(path) })
      const answer = thread.ask('open')
      await thread.end()
      await expect(answer).rejects.toMatchObject({
        code: 'damaged',
        sentence: expect.stringContaining('stopped unexpectedly'),
      })
      await expect(thread.ask('next')).rejects.toBeInstanceOf(SourceError)
    }))

  test('transfers a refusal with its code, file and sentence', () =>
    withFile('A,a\n1,2\n', async (path) => {
      const error = await openSource(path).catch((thrown) => thrown)
      expect(error).toBeInstanceOf(SourceError)
      expect({ ...error }).toEqual({
        name: 'SourceError',
        code: 'header-duplicate',
        file: 'results.dat',
        sentence: expect.stringContaining('Columns A and B'),
      })
    }))

  test('compiles no WebAssembly for a CSV or for a workbook', () =>
    withFile('A\n1\n', (csv) =>
      withFile(writeWorkbook({ rows: inlineRow('A') + inlineRow('1') }), async (xlsx) => {
        const entryPoint = new URL('../../../../../src/files/tables/open-source.ts', import.meta.url)
        // The first reading may compile WebAssembly in the process itself, to strip types. After that, V8 must not
        // compile any module of more than one byte.
        const script = `
          import { setFlagsFromString } from 'node:v8'
          const { openSource } = await import(${JSON.stringify(entryPoint.href)})
          const count = async (path) => {
            await using source = await openSource(path)
            let rows = 0
            for await (const batch of source.batches()) rows += batch.length
            return rows
          }
          await count(${JSON.stringify(csv)})
          setFlagsFromString('--wasm-max-module-size=1')
          console.log(await count(${JSON.stringify(csv)}), await count(${JSON.stringify(xlsx)}))`
        const args = ['--input-type=module', '-e', script]
        const { stdout, stderr } = await promisify(execFile)(process.execPath, args)
        // Nor does the process print Node's experimental warnings.
        expect([stdout, stderr]).toEqual(['1 1\n', ''])
      }),
    ))

  test('does not keep a process from exiting, even if its source was not read to the end', () =>
    withFile(`A,B\n${'1,2\n'.repeat(20_000)}`, async (path) => {
      const entryPoint = new URL('../../../../../src/files/tables/open-source.ts', import.meta.url)
      const script = `
        const { openSource } = await import(${JSON.stringify(entryPoint.href)})
        const source = await openSource(${JSON.stringify(path)})
        for await (const batch of source.batches()) { console.log(batch.length); globalThis.kept = source; break }
        const other = await openSource(${JSON.stringify(path)})
        console.log((await other.batches()[Symbol.asyncIterator]().next()).value.length)`
      const args = ['--input-type=module', '-e', script]
      const { stdout } = await promisify(execFile)(process.execPath, args, { timeout: 120_000 })
      expect(stdout).toBe('500\n500\n')
    }))
})

test.skipIf(process.platform === 'win32')('a pipe is refused before it is opened', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'credsync-pipe-'))
  try {
    const path = join(folder, 'list.csv')
    execFileSync('mkfifo', [path])
    await expect(openSource(path)).rejects.toMatchObject({ code: 'unreadable' })
  } finally {
    await rm(folder, { recursive: true })
  }
})
