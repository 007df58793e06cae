// Which parts of a statement the mutants leave out or replace.

import { describe, expect, test } from 'vitest'
import { type Mutant, marked, mutantsIn, mutated } from './mutants.ts'
import { sqlLiteralsOf } from './sql-literals.ts'
import { mutationsOf } from './sql-mutations.ts'

/** Returns the kind of each mutant of a statement, and the statement that it produces. */
function mutantsOf(sql: string): [kind: string, statement: string][] {
  const place = { key: '', file: '', line: 1, text: '', lineText: '' }
  const mutants = mutationsOf(sql).map((mutation, id): Mutant => ({ ...mutation, ...place, id }))
  const statement = marked(sql, mutants)
  expect(mutantsIn(statement).toSorted((a, b) => a - b)).toEqual(mutants.map(({ id }) => id))
  const plain = (text: string) =>
    text
      .replace(/\/\*.*?\*\//g, '')
      .replace(/ +/g, ' ')
      .trim()
  return mutants.map((mutant) => [mutant.kind, plain(mutated(statement, mutant))])
}

describe('a mutant', () => {
  test.each<[sql: string, ...mutants: [string, string][]]>([
    [
      `SELECT a FROM t WHERE b = $1 AND c BETWEEN 1 AND 2 ORDER BY a LIMIT 1`,
      ['condition', 'SELECT a FROM t WHERE ((b = $1) OR true) AND c BETWEEN 1 AND 2 ORDER BY a LIMIT 1'],
      ['condition', 'SELECT a FROM t WHERE b = $1 AND ((c BETWEEN 1 AND 2) OR true) ORDER BY a LIMIT 1'],
      ['ORDER BY', 'SELECT a FROM t WHERE b = $1 AND c BETWEEN 1 AND 2 LIMIT 1'],
    ],
    [
      'SELECT FROM t JOIN u ON u.id = t.id FOR UPDATE OF t SKIP LOCKED',
      ['condition', 'SELECT FROM t JOIN u ON ((u.id = t.id) OR true) FOR UPDATE OF t SKIP LOCKED'],
      ['row lock', 'SELECT FROM t JOIN u ON u.id = t.id'],
      ['SKIP LOCKED', 'SELECT FROM t JOIN u ON u.id = t.id FOR UPDATE OF t'],
    ],
    [
      'INSERT INTO t SELECT $1 ON CONFLICT (a) DO UPDATE SET b = 1 WHERE t.b RETURNING a',
      ['ON CONFLICT', 'INSERT INTO t SELECT $1 RETURNING a'],
      ['condition', 'INSERT INTO t SELECT $1 ON CONFLICT (a) DO UPDATE SET b = 1 WHERE ((t.b) OR true) RETURNING a'],
    ],
    [
      'SELECT coalesce(max(a), 0), coalesce(a, b, c)',
      ['coalesce', 'SELECT (CASE WHEN true THEN (max(a)) ELSE ( 0) END), coalesce(a, b, c)'],
      ['coalesce', 'SELECT coalesce(max(a), 0), (CASE WHEN true THEN (a) ELSE coalesce( b, c) END)'],
    ],
    [
      'SELECT pg_advisory_xact_lock(hashtextextended($1, 0))',
      ['advisory lock', 'SELECT CASE WHEN false THEN pg_advisory_xact_lock(hashtextextended($1, 0)) ELSE NULL END'],
    ],
    [
      'DELETE FROM t WHERE (a OR b) AND c <= 1 AND d < clock_timestamp()',
      ['condition', 'DELETE FROM t WHERE (((a OR b)) OR true) AND c <= 1 AND d < clock_timestamp()'],
      ['condition', 'DELETE FROM t WHERE (a OR b) AND ((c <= 1) OR true) AND d < clock_timestamp()'],
      ['condition', 'DELETE FROM t WHERE (a OR b) AND c <= 1 AND ((d < clock_timestamp()) OR true)'],
      ['alternative', 'DELETE FROM t WHERE ((a AND false) OR b) AND c <= 1 AND d < clock_timestamp()'],
      ['alternative', 'DELETE FROM t WHERE (a OR (b AND false)) AND c <= 1 AND d < clock_timestamp()'],
      ['<= to <', 'DELETE FROM t WHERE (a OR b) AND c < 1 AND d < clock_timestamp()'],
    ],
    // Keywords in strings and comments are ignored.
    [`SELECT 'a WHERE b' -- ORDER BY c`],
  ])('of %s leaves out or replaces one part', (sql, ...mutants) => {
    expect(mutantsOf(sql)).toEqual(mutants)
  })
})

test('SQL is found in the strings of a file, and inserted expressions are not taken for SQL', () => {
  const source = `const a = \`SELECT \${b ? 'x' : 'y'} FROM t\`, c = 'Choose one.', d = 'a = 1 AND b'`
  const found = [`SELECT \${_____________} FROM t`, 'a = 1 AND b']
  expect(sqlLiteralsOf(source).map(({ text }) => text)).toEqual(found)
})
