// The key of the hashes inside and outside the database.

import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { openWholeLedger } from '#src/app/whole-ledger.ts'
import { HashKeyError } from '#src/ledger/hash-key.ts'
import { migrate } from '#src/ledger/migrate.ts'
import { openDatabase } from '#src/platform/database/database.ts'
import { describeWithDatabase, emptyDatabase } from '#test/support/database.ts'

const stored = 'SELECT hash_key AS key FROM ledger'

describeWithDatabase('the key of the hashes of people', () => {
  test('is not stored if it is given, and only with the same key the ledger opens', async () => {
    await using created = await emptyDatabase()
    await using database = openDatabase(created.url)
    const hashKey = randomBytes(32)
    await migrate(database, randomBytes(32), hashKey)
    await migrate(database, randomBytes(32), randomBytes(32))
    expect((await database.query(stored)).rows).toEqual([{ key: null }])
    const { hasher } = await openWholeLedger(database, 'development', { hashKey })
    expect(hasher.name('ada')).toEqual((await openWholeLedger(database, 'any', { hashKey })).hasher.name('ada'))
    await expect(openWholeLedger(database, 'development')).rejects.toThrow(/^The hash key of this ledger is outside/)
    const other = openWholeLedger(database, 'development', { hashKey: randomBytes(32) })
    await expect(other).rejects.toThrow(HashKeyError)
    await expect(other).rejects.toThrow(/has another key/)
  })

  test('can be taken out of the database', async () => {
    await using created = await emptyDatabase()
    await using database = openDatabase(created.url)
    await migrate(database, randomBytes(32))
    const before = (await openWholeLedger(database, 'development')).hasher.name('ada')
    const { rows } = await database.query<{ key: Buffer }>(stored)
    await database.query('UPDATE ledger SET hash_key = NULL')
    const { hasher } = await openWholeLedger(database, 'development', { hashKey: rows[0]?.key ?? null })
    expect(hasher.name('ada')).toEqual(before)
  })
})
