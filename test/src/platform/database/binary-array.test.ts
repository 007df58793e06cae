// Arrays in PostgreSQL's binary format arrive in the database unchanged.

import { expect, test } from 'vitest'
import { bytesArray, intArray, jsonArray } from '#src/platform/database/binary-array.ts'
import { openDatabase } from '#src/platform/database/database.ts'
import { describeWithDatabase, emptyDatabase } from '#test/support/database.ts'

describeWithDatabase('an array in binary form', () => {
  test('arrives as written: numbers, bytes, JSON with characters of every length, and null', async () => {
    await using empty = await emptyDatabase()
    await using database = openDatabase(empty.url)
    const ints = [0, 1, -1, 2 ** 31 - 1, -(2 ** 31)]
    const bytes = [Buffer.from([0, 255]), null, Buffer.alloc(0), Buffer.alloc(70_000, 7), Buffer.from('x')]
    const values = ['', null, 'Zoë', '東 𝒳 "\\" \n', { a: ['ß', 1.5, null] }]
    const texts = values.map((value) => (value === null ? null : JSON.stringify(value)))
    const { rows } = await database.query<{ n: number; bytes: Buffer | null; value: unknown }>(
      'SELECT * FROM unnest($1::int[], $2::bytea[], $3::jsonb[]) r(n, bytes, value)',
      [intArray(ints), bytesArray(bytes), jsonArray(texts)],
    )
    expect(rows.map((row) => row.n)).toEqual(ints)
    expect(rows.map((row) => row.bytes)).toEqual(bytes)
    expect(rows.map((row) => row.value)).toEqual(values)
  })

  test('may be empty', async () => {
    await using empty = await emptyDatabase()
    await using database = openDatabase(empty.url)
    const none = [intArray([]), bytesArray([]), jsonArray([])]
    const { rows } = await database.query('SELECT * FROM unnest($1::int[], $2::bytea[], $3::jsonb[]) r', none)
    expect(rows).toEqual([])
  })
})
