// The minimum cost of storing a list: four tables with the columns, checks and indexes of issuance, issuance_match,
// run_row and history, and as many bytes as a publication leaves there, but no triggers, foreign keys, staging or real
// hashes. Inserts a thousand rows per statement, as binary arrays, in one transaction.

import { randomBytes } from 'node:crypto'
import { bytesArray, intArray, jsonArray } from '#src/platform/database/binary-array.ts'
import type { Database, Sql } from '#src/platform/database/database.ts'
import { cellsOf, numberChunks, recordOf } from './people.ts'

const tables = ['issuance', 'issuance_match', 'run_row', 'history']

/** Inserts on the server of a ledger. The tables are called bare_… and are recreated if they exist. */
export async function bareInsert(database: Database, rows: number): Promise<void> {
  await database.transaction(async (sql) => {
    for (const table of tables) {
      await sql.query(`DROP TABLE IF EXISTS bare_${table}`)
      await sql.query(
        `CREATE TABLE bare_${table} (LIKE ${table} INCLUDING DEFAULTS INCLUDING CONSTRAINTS INCLUDING INDEXES)`,
      )
    }
    for (const numbers of numberChunks(rows)) await insertThousand(sql, numbers)
  })
}

async function insertThousand(sql: Sql, numbers: readonly number[]): Promise<void> {
  const run = '8c1f2f44-3df1-4a52-8f4e-55d0a7e6a001'
  const ids = intArray(numbers)
  const hashes = () => bytesArray(numbers.map(() => randomBytes(32)))
  const evidence = jsonArray(numbers.map((n) => JSON.stringify({ source: 'people.csv', row: n, run })))
  await sql.query(
    `INSERT INTO bare_issuance (id, environment, course_uuid, issuance_key, identity_hash, run_id, row_number, pipeline, recipient, evidence)
     SELECT n, 'development', $2, key, identity, $2, n, 'bench', recipient, evidence
     FROM unnest($1::int[], $3::bytea[], $4::bytea[], $5::jsonb[], $6::jsonb[]) r(n, key, identity, recipient, evidence)`,
    [ids, run, hashes(), hashes(), recordsOf(numbers), evidence],
  )
  await sql.query('INSERT INTO bare_issuance_match SELECT * FROM unnest($1::bytea[], $2::int[])', [hashes(), ids])
  await sql.query(
    `INSERT INTO bare_run_row (run_id, row_number, outcome, cells, issuance_id)
     SELECT $1, n, 'accepted', cells, n FROM unnest($2::int[], $3::jsonb[]) r(n, cells)`,
    [run, ids, jsonArray(numbers.map((n) => JSON.stringify(cellsOf(n))))],
  )
  await sql.query(
    `INSERT INTO bare_history (id, issuance_id, event, to_state, evidence)
     SELECT n, n, 'accepted', 'pending', evidence FROM unnest($1::int[], $2::jsonb[]) r(n, evidence)`,
    [ids, evidence],
  )
}

/** Stores a list in the simplest way: one table with one key, the cells and the record. */
export async function minimalInsert(database: Database, rows: number): Promise<void> {
  await database.transaction(async (sql) => {
    await sql.query('CREATE TABLE least (n int PRIMARY KEY, cells jsonb NOT NULL, recipient jsonb NOT NULL)')
    for (const numbers of numberChunks(rows)) {
      const cells = jsonArray(numbers.map((n) => JSON.stringify(cellsOf(n))))
      await sql.query('INSERT INTO least SELECT * FROM unnest($1::int[], $2::jsonb[], $3::jsonb[])', [
        intArray(numbers),
        cells,
        recordsOf(numbers),
      ])
    }
  })
}

function recordsOf(numbers: readonly number[]): Buffer {
  return jsonArray(numbers.map((n) => JSON.stringify(recordOf(n))))
}
