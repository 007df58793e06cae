// Finds what was forgotten before of people who had no issuance: invalid rows and completions, of which only hashes are
// left. Reads the database only.

import type { Hasher } from '#src/domain/credential/identity-hasher.ts'
import type { Sql } from '#src/platform/database/database.ts'
import { type PersonToFind, rowKey } from './found-person.ts'
import type { Named, Who } from './resolve-people.ts'

interface Trace {
  id: number
  course: string
  run: string | null
  row: number | null
  completion: number | null
  /** In hex, as all hashes here. */
  name: string | null
  hashes: string[]
  day: string
}

/** What is known of one person while traces are searched for. */
interface Search {
  hashes: Set<string>
  names: Set<string>
  own: Map<number, Trace>
  others: Map<number, Trace>
}

/** A trace is the person's if it is named, if its name agrees, or if it is of an exact copy of such a row. */
export async function addEarlier(
  sql: Sql,
  environment: string,
  { people, whos, named }: { people: readonly PersonToFind[]; whos: readonly Who[]; named: readonly Named[] },
  hasher: Hasher,
): Promise<void> {
  const searches = people.map((person, n): Search => {
    const records = [...person.records.values()]
    const values = [...(whos[n]?.values ?? []), ...records.flatMap(({ identifiers }) => identifiers)]
    const names = records.flatMap(({ name }) => (name === '' ? [] : [hasher.name(name).toString('hex')]))
    const hashes = values.map((value) => hasher.identifier(value).toString('hex'))
    return { hashes: new Set(hashes), names: new Set(names), own: new Map(), others: new Map() }
  })
  await addHashesOfIssuances(sql, people, searches)
  const namedTraces = await tracesOfNamed(sql, named)
  for (const { n, ...trace } of namedTraces) accept(searches[n] as Search, trace)
  await searchByHashes(sql, environment, searches)
  for (const search of searches) acceptUnnamed(search)
  await searchByHashes(sql, environment, searches)
  for (const [n, { earlier }] of people.entries()) {
    const { own, others } = searches[n] as Search
    const traces = [...own.values()].toSorted((a, b) => a.id - b.id)
    earlier.traces = traces.map(({ id }) => id)
    const { forgottenRows = [] } = named[n] ?? {}
    const known = new Set(forgottenRows.map(rowKey))
    const more = traces.flatMap(rowOf).filter((row) => !known.has(rowKey(row)))
    earlier.rows = [...forgottenRows.map(({ run, row }) => ({ run, row })), ...more]
    earlier.completions = [
      ...(named[n]?.forgottenCompletions ?? []),
      ...traces.flatMap((trace) => trace.completion ?? []),
    ]
    const left = [...others.values()]
    earlier.leftOut = { rows: left.flatMap(rowOf), completions: left.flatMap(({ completion }) => completion ?? []) }
    earlier.day = traces[0]?.day ?? forgottenRows[0]?.day ?? null
  }
}

const rowOf = ({ run, row }: Trace) => (run !== null && row !== null ? [{ run, row }] : [])

function accept({ own, others, hashes, names }: Search, trace: Trace): void {
  own.set(trace.id, trace)
  others.delete(trace.id)
  for (const hash of trace.hashes) hashes.add(hash)
  if (trace.name !== null) names.add(trace.name)
}

/** If nothing else is known of the person, what an address leads to is theirs if it has one name. */
function acceptUnnamed(search: Search): void {
  const { own, others, names } = search
  const found = [...others.values()]
  const isOne = new Set(found.map(({ name, id }) => name ?? `trace ${id}`)).size === 1
  if (isOne && own.size + names.size === 0) for (const trace of found) accept(search, trace)
}

async function searchByHashes(sql: Sql, environment: string, searches: readonly Search[]): Promise<void> {
  for (let seen = searches.map(() => new Set<string>()); ; ) {
    const fresh = searches.flatMap(({ hashes }, n) =>
      [...hashes].filter((hash) => !seen[n]?.has(hash)).map((hash) => ({ n, hash })),
    )
    if (fresh.length === 0) return
    seen = searches.map(({ hashes }) => new Set(hashes))
    const { rows } = await sql.query<Trace & { n: number; isCopy: boolean }>(
      `SELECT f.n, f."isCopy", ${traceColumns} FROM (
         SELECT n.n, h.trace_id, bool_or(h.is_whole) AS "isCopy" FROM unnest($2::int[], $3::text[]) AS n(n, hash)
         JOIN erased_trace_identifier h ON h.hash = decode(n.hash, 'hex') GROUP BY 1, 2) f
       JOIN erased_trace t ON t.id = f.trace_id AND t.environment = $1 JOIN erasure x ON x.id = t.erasure_id ORDER BY f.n, t.id`,
      [environment, fresh.map(({ n }) => n), fresh.map(({ hash }) => hash)],
    )
    for (const { n, isCopy, ...trace } of rows) {
      const search = searches[n] as Search
      if (isOf(search, trace, isCopy)) accept(search, trace)
      else if (!search.own.has(trace.id)) search.others.set(trace.id, trace)
    }
  }
}

function isOf({ own, names }: Search, { hashes, course, name }: Trace, isCopy: boolean): boolean {
  // Without any address or number, the same cells in another course may be somebody else's.
  if (hashes.length === 1) return [...own.values()].some((each) => each.course === course)
  return isCopy || (name !== null && names.has(name))
}

const traceColumns = `t.id, t.course_uuid AS course, t.run_id AS run, t.row_number AS row, t.completion_id AS completion, encode(t.name_hash, 'hex') AS name,
  ARRAY(SELECT encode(h.hash, 'hex') FROM erased_trace_identifier h WHERE h.trace_id = t.id) AS hashes,
  to_char(x.requested_at AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS day`

/** What is left of issuances that were forgotten before. */
async function addHashesOfIssuances(
  sql: Sql,
  people: readonly PersonToFind[],
  searches: readonly Search[],
): Promise<void> {
  const pairs = people.flatMap(({ ids }, n) => ids.map((id) => ({ n, id })))
  const { rows } = await sql.query<{ n: number; name: string | null; hashes: string[] }>(
    `SELECT p.n, encode(e.name_hash, 'hex') AS name, ARRAY(SELECT encode(h.hash, 'hex') FROM erased_identifier h WHERE h.issuance_id = e.issuance_id) AS hashes
     FROM unnest($1::int[], $2::bigint[]) AS p(n, id) JOIN erased_issuance e ON e.issuance_id = p.id`,
    [pairs.map(({ n }) => n), pairs.map(({ id }) => id)],
  )
  for (const { n, name, hashes } of rows) {
    for (const hash of hashes) searches[n]?.hashes.add(hash)
    if (name !== null) searches[n]?.names.add(name)
  }
}

async function tracesOfNamed(sql: Sql, named: readonly Named[]): Promise<(Trace & { n: number })[]> {
  const rowsNamed = named.flatMap(({ forgottenRows }, n) => forgottenRows.map((row) => ({ n, ...row })))
  const completions = named.flatMap(({ forgottenCompletions }, n) => forgottenCompletions.map((id) => ({ n, id })))
  const { rows } = await sql.query<Trace & { n: number }>(
    `SELECT f.n, ${traceColumns} FROM (
       SELECT n.n, t.id FROM unnest($1::int[], $2::uuid[], $3::int[]) AS n(n, run, row) JOIN erased_trace t ON t.run_id = n.run AND t.row_number = n.row
       UNION SELECT n.n, t.id FROM unnest($4::int[], $5::bigint[]) AS n(n, id) JOIN completion c ON c.id = n.id
         JOIN erased_trace t ON t.completion_id = c.id OR (t.run_id = c.run_id AND t.row_number = c.row_number)) f
     JOIN erased_trace t ON t.id = f.id JOIN erasure x ON x.id = t.erasure_id`,
    [
      ...[rowsNamed.map(({ n }) => n), rowsNamed.map(({ run }) => run), rowsNamed.map(({ row }) => row)],
      ...[completions.map(({ n }) => n), completions.map(({ id }) => id)],
    ],
  )
  return rows
}
