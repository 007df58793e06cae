// The completions of a learning system, presented as the rows of a file.

import { expect, test } from 'vitest'
import type { CompletionRow } from '#src/extensions/lms/ledger/completions.ts'
import { openCompletions } from '#src/extensions/lms/sync/rows-of-system.ts'
import type { SourceRow } from '#src/files/tables/source.ts'

const run = { id: 'run-1', sourceName: 'campus' }
const occasion = new Date('2026-03-01T12:00:00Z')

/** Opens completions that are stored in batches, and reads them all. */
async function read(batches: CompletionRow[][], titles: string[] = ['email']) {
  const stored = {
    async columnsOf(runId: string) {
      return runId === run.id ? ['course', 'email'] : []
    },
    async *rowsOf(runId: string) {
      if (runId === run.id) yield* batches
    },
  }
  await using source = await openCompletions(stored, run, titles)
  const { batches: rows, ...rest } = source
  const found: SourceRow[][] = []
  for await (const batch of rows()) found.push(batch)
  return { rows: found, rest }
}
const aCompletion = (row: number, cells: Record<string, string>, at: Date | null = null) => ({
  ...{ row, cells, occasion: at },
})

test('have the given columns and those of the run, each once, and all are text', async () => {
  const { rows, rest } = await read([[aCompletion(2, { email: 'ada@x.org', course: 'F-1' })]], ['name', 'email'])
  expect(rest).toMatchObject({
    ...{ name: 'campus', completionsOf: 'campus', format: 'csv', header: ['name', 'email', 'course'] },
    ...{ notices: [], images: null, merged: [] },
  })
  expect(rows).toEqual([[{ row: 2, cells: ['', 'ada@x.org', 'F-1'], kinds: ['text', 'text', 'text'] }]])
})

test('keep their batches, their order and their occasions', async () => {
  const { rows } = await read([
    [aCompletion(2, { email: 'a@x.org' }), aCompletion(3, { email: 'b@x.org' }, occasion)],
    [aCompletion(4, { course: 'F-2' })],
  ])
  const kinds = ['text', 'text']
  expect(rows).toEqual([
    [
      { row: 2, cells: ['a@x.org', ''], kinds },
      { row: 3, cells: ['b@x.org', ''], kinds, occasion },
    ],
    [{ row: 4, cells: ['', 'F-2'], kinds }],
  ])
  expect(Object.keys(rows[0]?.[0] ?? {})).not.toContain('occasion')
})
