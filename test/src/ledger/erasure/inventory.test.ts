// The inventory names every column of the ledger, and nothing else.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { inventory, inventoryPage, listedColumns, personalColumns } from '#src/ledger/erasure/inventory/inventory.ts'
import { openDatabase } from '#src/platform/database/database.ts'
import { describeWithDatabase, testDatabase } from '#test/support/database.ts'

interface Column {
  name: string
  target: number
}

/** Every column of the ledger's tables and views, with its statistics target. */
async function columnsOfLedger(): Promise<Column[]> {
  await using created = await testDatabase()
  await using database = openDatabase(created.url)
  const { rows } = await database.query<Column>(
    `SELECT c.relname || '.' || a.attname AS name, coalesce(a.attstattarget, -1) AS target
     FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
     WHERE c.relnamespace = 'credsync'::regnamespace AND c.relkind IN ('r', 'p', 'v', 'm', 'f') AND a.attnum > 0 AND NOT a.attisdropped`,
  )
  return rows
}

describeWithDatabase('the inventory', () => {
  test('lists each column of the ledger once', async () => {
    const listed = Object.entries(inventory).flatMap(([table, entry]) =>
      listedColumns(entry).map((column) => `${table}.${column}`),
    )
    expect(listed.toSorted()).toEqual((await columnsOfLedger()).map(({ name }) => name).toSorted())
  })

  test('agrees with the columns of which the planner keeps no samples', async () => {
    const withoutSamples = (await columnsOfLedger()).filter(({ target }) => target === 0).map(({ name }) => name)
    expect(withoutSamples.toSorted()).toEqual(
      personalColumns()
        .map(({ table, column }) => `${table}.${column}`)
        .toSorted(),
    )
  })

  test('is what docs/privacy.md shows', () => {
    const page = readFileSync(join(import.meta.dirname, '../../../../docs/privacy.md'), 'utf8')
    expect(/<!-- inventory -->\n\n([\s\S]*?)\n\n<!-- end of inventory -->/.exec(page)?.[1]).toBe(inventoryPage())
  })
})
