// Files are read by a thread that has limits: what it says crosses over whole, and it is ended when it takes too much.

import { execFile, execFileSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { openSource } from '#src/sources/open-source.ts'
import { startReadingThread } from '#src/sources/reading-thread.ts'
import { refusalsOf, SourceError } from '#src/sources/source-error.ts'
import { sourceLimits } from '#src/sources/source-limits.ts'
import { steppedClock } from '#test/support/clock.ts'
import { withFile } from '#test/support/read-source.ts'
import { inlineRow, writeWorkbook } from '#test/support/written-workbook.ts'

// A million empty lines keep the parser busy for seconds and give no row.
const blank = '\n'.repeat(1_000_000)

describe('a file that gives nothing', () => {
  test.each([
    ['for the longest time between two answers', {}, '1m'],
    ['for the longest time of a reading', { readingMs: 5_000 }, '5s'],
  ])('is refused after waiting %s', (_, limits, span) =>
    withFile(`A,B\n${blank}`, async (path) => {
      const clock = steppedClock()
      const opening = openSource(path, { limits }, clock)
      const refused = expect(opening).rejects.toMatchObject({ code: 'limit', sentence: expect.stringContaining(span) })
      await clock.advance(60_000)
      await refused
    }),
  )

  test('is refused although it gave rows before', () =>
    withFile(`A,B\n${'1,2\n'.repeat(2_000)}${blank}`, async (path) => {
      const clock = steppedClock()
      await using source = await openSource(path, {}, clock)
      const batches = source.batches()[Symbol.asyncIterator]()
      for (let rows = 0; rows < 2_000; ) rows += (await batches.next()).value?.length ?? 0
      const refused = expect(batches.next()).rejects.toMatchObject({ code: 'limit' })
      await clock.advance(60_000)
      await refused
    }))

  test('does not hold up another file', () =>
    withFile(`A,B\n${blank}`, (slow) =>
      withFile('A\n1\n', async (quick) => {
        const clock = steppedClock()
        const opening = openSource(slow, {}, clock)
        await using source = await openSource(quick)
        for await (const batch of source.batches()) expect(batch).toHaveLength(1)
        const refused = expect(opening).rejects.toMatchObject({ code: 'limit' })
        await clock.advance(60_000)
        await refused
      }),
    ))
})

test('time that nobody waits for a file is not counted', () =>
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

test('a small workbook whose cells all refer to one long text is refused when the thread has no more memory', () => {
  const cells = `<row>${'<c t="s"><v>0</v></c>'.repeat(500)}</row>`
  const bytes = writeWorkbook({
    sharedStrings: `<si><t>${'x'.repeat(32_000)}</t></si>`,
    rows: inlineRow('A') + cells.repeat(200),
  })
  return withFile(bytes, async (path) => {
    const opening = openSource(path, { limits: { heapMegabytes: 32 } })
    await expect(opening).rejects.toMatchObject({ code: 'limit', sentence: expect.stringContaining('32 MB') })
  })
}, 20_000)

describe('a thread', () => {
  test('that ends before its answer is a refusal, and so is every later question', () =>
    withFile('A\n1\n', async (path) => {
      const thread = startReadingThread(path, {}, sourceLimits, refusalsOf(path))
      const answer = thread.ask('open')
      await thread.end()
      await expect(answer).rejects.toMatchObject({ code: 'damaged', sentence: expect.stringContaining('broke off') })
      await expect(thread.ask('next')).rejects.toBeInstanceOf(SourceError)
    }))

  test('hands a refusal over with its code, its file and its sentence', () =>
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

  test('keeps no process from leaving, also when its source was left in the middle', () =>
    withFile(`A,B\n${'1,2\n'.repeat(20_000)}`, async (path) => {
      const door = new URL('../../../src/sources/open-source.ts', import.meta.url)
      const script = `
        const { openSource } = await import(${JSON.stringify(door.href)})
        const source = await openSource(${JSON.stringify(path)})
        for await (const batch of source.batches()) { console.log(batch.length); globalThis.kept = source; break }
        const other = await openSource(${JSON.stringify(path)})
        console.log((await other.batches()[Symbol.asyncIterator]().next()).value.length)`
      const args = ['--input-type=module', '-e', script]
      const { stdout } = await promisify(execFile)(process.execPath, args, { timeout: 20_000 })
      expect(stdout).toBe('500\n500\n')
    }))
})

test.skipIf(process.platform === 'win32')('a pipe is refused before anybody waits for it', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'credsync-pipe-'))
  try {
    const path = join(folder, 'list.csv')
    execFileSync('mkfifo', [path])
    await expect(openSource(path)).rejects.toMatchObject({ code: 'unreadable' })
  } finally {
    await rm(folder, { recursive: true })
  }
})
