// A transaction that PostgreSQL aborts because of another one is run again.

import { expect, test } from 'vitest'
import { openDatabase } from '#src/platform/database/database.ts'
import { describeWithDatabase, emptyDatabase, onServer } from '#test/support/database.ts'

describeWithDatabase('a transaction', () => {
  test('that cannot be serialized with another one (40001) is run again, and loses neither change', async () => {
    await using created = await emptyDatabase()
    await onServer('CREATE TABLE counter AS SELECT 0 AS value', created.url)
    await using database = openDatabase(created.url)
    let tries = 0
    await database.transaction(async (sql) => {
      tries++
      await sql.query('SELECT value FROM public.counter')
      if (tries === 1) await database.query('UPDATE public.counter SET value = value + 1')
      await sql.query('UPDATE public.counter SET value = value + 1')
    }, 'repeatable read')
    expect(tries).toBe(2)
    expect((await database.query('SELECT value FROM public.counter')).rows).toEqual([{ value: 2 }])
  })
})
