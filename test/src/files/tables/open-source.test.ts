// How a source is opened, read in batches and closed.

import { readdir, readlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { openSource } from '#src/files/tables/open-source.ts'
import { withFile } from '#test/support/read-source.ts'
import { inlineRow, writeWorkbook } from '#test/support/written-workbook.ts'

/** Counts how many of this process's descriptors refer to `path`. Linux only. */
async function countOpen(path: string): Promise<number> {
  const links = await readdir('/proc/self/fd').catch(() => [])
  const targets = await Promise.all(links.map((link) => readlink(`/proc/self/fd/${link}`).catch(() => '')))
  return targets.filter((target) => target === path).length
}

const header = 'Number,Name\n'
const csvRows = Array.from({ length: 20_000 }, (_, index) => `${index},"Näme, ${index}"`).join('\n')
const xlsxRows = Array.from({ length: 20_000 }, (_, index) => inlineRow(String(index), `Näme, ${index}`)).join('')

describe('a source of 20,000 rows', () => {
  test.each([
    ['csv', header + csvRows],
    ['xlsx', writeWorkbook({ rows: inlineRow('Number', 'Name') + xlsxRows })],
  ])('is read from %s in batches of 500, with every row once and in order', (format, bytes) =>
    withFile(bytes, async (path) => {
      await using source = await openSource(path)
      expect(source.format).toBe(format)
      expect(source.name).toBe('results.dat')
      let next = 0
      for await (const batch of source.batches()) {
        expect(batch).toHaveLength(500)
        for (const row of batch) {
          expect([row.row, ...row.cells]).toEqual([next + 2, String(next), `Näme, ${next}`])
          next++
        }
      }
      expect(next).toBe(20_000)
    }),
  )

  test.each([
    ['CSV', header + csvRows],
    ['XLSX', writeWorkbook({ rows: inlineRow('Number', 'Name') + xlsxRows })],
  ])('closes its file if reading stops early and if it is never read: %s', (_, bytes) =>
    withFile(bytes, async (path) => {
      const source = await openSource(path)
      if (process.platform === 'linux') expect(await countOpen(path)).toBe(1)
      for await (const batch of source.batches()) {
        expect(batch[0]?.row).toBe(2)
        break
      }
      await expect.poll(() => countOpen(path)).toBe(0)
      const unread = await openSource(path)
      await unread[Symbol.asyncDispose]()
      await expect.poll(() => countOpen(path)).toBe(0)
    }),
  )
})

describe('a file that cannot be read', () => {
  test.each([
    ['is missing', join(tmpdir(), 'no', 'such', 'file.csv'), 'ENOENT'],
    ['is a folder', tmpdir(), 'a folder, not a file'],
  ])('is refused with the reason when it %s', async (_, path, reason) => {
    await expect(openSource(path)).rejects.toMatchObject({
      code: 'unreadable',
      sentence: expect.stringContaining(reason),
    })
  })
})
