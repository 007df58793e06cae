// Resolves what an operator names to the rows of the ledger that it certainly means: the id of an issuance, a row of a
// run, the id of a credential, a learner, or a value whose hash the ledger knows. Reads the database only.

import type { Hasher } from '#src/domain/credential/identity-hasher.ts'
import type { Sql } from '#src/platform/database/database.ts'
import { forgottenLearner } from '../lms/forgotten-learner.ts'
import { rowKey } from './found-person.ts'
import type { ComparisonOf } from './person-records.ts'
import { othersAmong } from './rows-of-others.ts'

/** One person, as an operator names them. */
export interface Who {
  /** The words of the operator, and what they can be. */
  text: string
  issuance: number | null
  row: { run: string; row: number } | null
  /** What the words may name in a learning system. Without it, the text may be a learner of any system. */
  learner?: { system: string; learner: string } | null
  /** Hashes of the identity and of what the report shows. */
  hashes: readonly Buffer[]
  /** What an address or a number looks like in a record, normalized. */
  values: readonly string[]
}

/** What each WHO names. Several issuances may be of several people. */
export interface Named {
  issuances: Set<number>
  rows: { run: string; row: number }[]
  /** Completions of a learner, with the issuances to which they led, and their rows in published runs. */
  completions: { id: number; system: string; issuance: number | null; row: { run: string; row: number } | null }[]
  /** Rows and completions that were forgotten before. */
  forgottenRows: { run: string; row: number; day: string }[]
  forgottenCompletions: number[]
  /** The systems in which a learner has that number, and whether one of the learner's completions led to an issuance. */
  systems: Map<string, boolean>
}

const whosPerQuery = 500

export async function resolvePeople(
  sql: Sql,
  environment: string,
  whos: readonly Who[],
  { comparisonOf, hasher }: { comparisonOf: ComparisonOf; hasher: Hasher },
): Promise<Named[]> {
  const named: Named[] = whos.map(() => ({
    ...{ issuances: new Set(), rows: [], completions: [], forgottenRows: [], forgottenCompletions: [] },
    systems: new Map(),
  }))
  const systems = await systemsWithForgotten(sql, environment)
  for (let from = 0; from < whos.length; from += whosPerQuery) {
    const some = whos.slice(from, from + whosPerQuery)
    const at = (n: number) => named[from + n] as Named
    for (const { n, id } of await findIssuances(sql, environment, some)) at(n).issuances.add(id)
    // What was skipped with another name may be somebody else's, and is a record of its own.
    const learners = await findLearners(sql, environment, some, { systems, hasher })
    const others = await othersAmong(
      sql,
      [...learners.flatMap(({ row }) => row ?? []), ...some.flatMap(({ row }) => row ?? [])],
      { comparisonOf, hasher },
    )
    for (const { n, isForgotten, led, ...found } of learners) {
      const isOwn = led !== null && !(found.row && others.has(rowKey(found.row)))
      const completion = { ...found, issuance: isOwn ? led : null, row: isOwn ? null : found.row }
      if (isForgotten) at(n).forgottenCompletions.push(completion.id)
      else at(n).completions.push(completion)
      if (completion.issuance !== null) at(n).issuances.add(completion.issuance)
      const { systems } = at(n)
      systems.set(found.system, systems.get(found.system) || completion.issuance !== null)
    }
    const rows = await findRows(sql, environment, some)
    for (const { n, run, row, id, day } of rows)
      if (id !== null && !others.has(rowKey({ run, row }))) at(n).issuances.add(id)
      else if (day === null) at(n).rows.push({ run, row })
      else at(n).forgottenRows.push({ run, row, day })
  }
  return named
}

async function findIssuances(sql: Sql, environment: string, whos: readonly Who[]) {
  const hashes = whos.flatMap((who, n) => who.hashes.map((hash) => ({ n, hash })))
  const { rows } = await sql.query<{ n: number; id: number }>(
    `WITH h AS MATERIALIZED (SELECT * FROM unnest($2::int[], $3::bytea[]) AS h(n, hash)),
     w AS MATERIALIZED (SELECT * FROM unnest($4::int[], $5::text[], $6::bigint[]) AS w(n, text, id))
     SELECT DISTINCT f.n, f.id FROM (
       SELECT h.n, i.issuance_id AS id FROM h JOIN issuance_identity i ON i.identity_hash = h.hash
       UNION ALL SELECT h.n, m.issuance_id FROM h JOIN issuance_match m ON m.hash = h.hash
       UNION ALL SELECT w.n, i.id FROM w JOIN issuance i ON i.credential_id = w.text
       UNION ALL SELECT w.n, w.id FROM w WHERE w.id IS NOT NULL) f
     JOIN issuance i ON i.id = f.id AND i.environment = $1`,
    [
      environment,
      hashes.map(({ n }) => n),
      hashes.map(({ hash }) => hash),
      whos.map((_, n) => n),
      whos.map(({ text }) => text),
      whos.map(({ issuance }) => issuance),
    ],
  )
  return rows
}

/** If the system of a WHO has learners, it names one of them and nobody else. If not, its words mean something else. */
export async function withKnownSystems(sql: Sql, environment: string, whos: readonly Who[]): Promise<Who[]> {
  const systems = new Set(whos.flatMap(({ learner }) => learner?.system ?? []))
  const { rows } = await sql.query<{ system: string }>(
    'SELECT n.system FROM unnest($2::text[]) n(system) WHERE EXISTS (SELECT FROM completion c WHERE c.environment = $1 AND c.system = n.system)',
    [environment, [...systems]],
  )
  const known = new Set(rows.map(({ system }) => system))
  return whos.map(({ learner = null, ...who }) =>
    learner && known.has(learner.system) ? { ...who, learner, hashes: [], values: [] } : { ...who, learner: null },
  )
}

/** Systems of which a learner was forgotten. */
async function systemsWithForgotten(sql: Sql, environment: string): Promise<string[]> {
  const { rows } = await sql.query<{ system: string }>(
    'SELECT DISTINCT c.system FROM erased_completion e JOIN completion c ON c.id = e.completion_id WHERE c.environment = $1',
    [environment],
  )
  return rows.map(({ system }) => system)
}

interface LearnerCompletion extends Omit<Named['completions'][number], 'issuance'> {
  n: number
  /** The issuance of its row, also if it was skipped as somebody else's. */
  led: number | null
  isForgotten: boolean
}

/**
 * Completions of a learner whom WHO names. An address is a name for certain only with its system, so otherwise its
 * completions are not found. The id of an issuance or of a row names no learner.
 */
async function findLearners(
  sql: Sql,
  environment: string,
  whos: readonly Who[],
  { systems, hasher }: { systems: readonly string[]; hasher: Pick<Hasher, 'identifier'> },
) {
  const names = whos.flatMap(({ text, issuance, row, learner: account }, n) => {
    if (issuance !== null || row) return []
    const { system: only = null, learner = text } = account ?? {}
    if (only === null && learner.includes('@')) return []
    return [
      { n, only, learner },
      ...(only === null ? systems : [only]).map((system) => {
        return { n, only: system, learner: forgottenLearner(hasher, { environment, system, learner }) }
      }),
    ]
  })
  const { rows } = await sql.query<LearnerCompletion>(
    `SELECT w.n, c.id, c.system, r.issuance_id AS led,
            CASE WHEN r.run_id IS NOT NULL THEN json_build_object('run', r.run_id, 'row', r.row_number) END AS row,
            EXISTS (SELECT FROM erased_completion e WHERE e.completion_id = c.id) AS "isForgotten"
     FROM unnest($2::int[], $3::text[], $4::text[]) AS w(n, text, system)
     JOIN completion c ON c.environment = $1 AND c.learner = w.text AND (w.system IS NULL OR c.system = w.system)
     LEFT JOIN run_row r ON r.run_id = c.run_id AND r.row_number = c.row_number`,
    [environment, names.map(({ n }) => n), names.map(({ learner }) => learner), names.map(({ only }) => only)],
  )
  return rows
}

async function findRows(sql: Sql, environment: string, whos: readonly Who[]) {
  const named = whos.flatMap(({ row }, n) => (row ? [{ n, ...row }] : []))
  if (named.length === 0) return []
  const { rows } = await sql.query<{ n: number; run: string; row: number; id: number | null; day: string | null }>(
    `SELECT w.n, r.run_id AS run, r.row_number AS row, r.issuance_id AS id, to_char(coalesce(x.requested_at, r.forgotten_at) AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS day FROM unnest($2::int[], $3::uuid[], $4::int[]) AS w(n, run, row)
     JOIN run_row r ON r.run_id = w.run AND r.row_number = w.row JOIN run ON run.id = r.run_id AND run.environment = $1
     LEFT JOIN erased_row e ON e.run_id = r.run_id AND e.row_number = r.row_number LEFT JOIN erasure x ON x.id = e.erasure_id`,
    [environment, named.map(({ n }) => n), named.map(({ run }) => run), named.map(({ row }) => row)],
  )
  return rows
}
