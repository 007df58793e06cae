// Finds what is left of people whom an operator names and whose data were deleted before: only hashes and ids, so they
// are found by equality of a hash, and told apart by the hash of the name. Reads the database only.

import { identifiersInText } from '#src/domain/credential/forgotten-person.ts'
import type { Hasher } from '#src/domain/credential/identity-hasher.ts'
import { forgottenLearner } from '#src/extensions/lms/ledger/forget-learners.ts'
import type { Sql } from '#src/platform/database/database.ts'
import type { Records, RowName, Who } from './person-records.ts'

export interface Earlier {
  ids: number[]
  /** Those of `ids` whose retention ended: nobody has asked for them to be forgotten. */
  expired: number[]
  completions: number[]
  /** By what the person is recognized. */
  people: number[]
  day: string | null
}

/** What is left of a record that was forgotten. */
export interface LeftRecord {
  person: number | null
  issuance: number | null
  completion: number | null
  /** Its hash. */
  learner: string | null
  row: RowName | null
  /** The hash of the name, as hexadecimal digits. */
  name: string | null
  kind: 'request' | 'retention'
  day: string
  /** Whether WHO names it for certain, and not by an address or a number. */
  isNamed: boolean
}

const unique = <Item>(items: readonly Item[]) => [...new Set(items)]

export const earlierOf = (left: readonly LeftRecord[]): Earlier => ({
  ids: unique(left.flatMap(({ issuance }) => issuance ?? [])),
  expired: unique(left.flatMap(({ issuance, kind }) => (kind === 'retention' ? (issuance ?? []) : []))),
  completions: unique(left.flatMap(({ completion }) => completion ?? [])),
  people: unique(left.flatMap(({ person }) => person ?? [])),
  day:
    left
      .map(({ day }) => day)
      .toSorted()
      .at(-1) ?? null,
})

export const recordsLeft = (left: readonly LeftRecord[]): Records => ({
  ids: unique(left.flatMap(({ issuance }) => issuance ?? [])),
  rows: left.flatMap(({ row }) => row ?? []),
  completions: unique(left.flatMap(({ completion, issuance }) => (issuance === null ? (completion ?? []) : []))),
})

/** Whether all of it is of one person. What has no name may be anybody's. */
export const isOfOnePerson = (left: readonly LeftRecord[]): boolean =>
  new Set(left.map(({ name, person, issuance, learner }) => name ?? `nameless ${issuance ?? person ?? learner}`))
    .size <= 1

/** An identifier and the name of a record that was found. */
export interface PersonTrace {
  /** Whose: the place of the WHO. */
  n: number
  hash: Buffer
  name: Buffer
  isNamed: boolean
}

/** @param issuances those that each WHO names for certain. @returns what is left of each WHO, in order */
export async function findForgottenBefore(
  sql: Sql,
  environment: string,
  whos: readonly Who[],
  {
    issuances,
    traces,
    hasher,
  }: { issuances: readonly (readonly number[])[]; traces: readonly PersonTrace[]; hasher: Hasher },
): Promise<LeftRecord[][]> {
  const isText = ({ issuance, row, learner }: Who) => issuance === null && row === null && learner === null
  const hashes = whos.flatMap((who, n) =>
    (isText(who) ? identifiersInText(who.text) : []).map((value) => ({ n, hash: hasher.identifier(value) })),
  )
  const learners = whos.flatMap(({ learner }, n) =>
    learner ? [{ n, hash: forgottenLearner(hasher, { environment, ...learner }) }] : [],
  )
  const ids = issuances.flatMap((named, n) => named.map((issuance) => ({ n, issuance })))
  const named = whos.flatMap(({ row }, n) => (row ? [{ n, ...row }] : []))
  const { rows } = await sql.query<LeftRecord & { n: number }>(
    `WITH RECURSIVE found(n, person, issuance, completion, is_named) AS (
       SELECT h.n, p.id, p.issuance_id, p.completion_id, false FROM unnest($2::int[], $3::bytea[]) h(n, hash)
         JOIN erased_identifier i ON i.hash = h.hash JOIN erased_person p ON p.id = i.person_id AND p.environment = $1
       UNION SELECT l.n, NULL, r.issuance_id, c.id, true FROM unnest($4::int[], $5::text[]) l(n, learner)
         JOIN completion c ON c.environment = $1 AND c.learner = l.learner LEFT JOIN run_row r ON r.run_id = c.run_id AND r.row_number = c.row_number AND r.outcome = 'accepted'
       UNION SELECT w.n, NULL, w.id, NULL, true FROM unnest($6::int[], $7::bigint[]) w(n, id)
         JOIN issuance i ON i.id = w.id AND i.environment = $1
       UNION SELECT w.n, p.id, p.issuance_id, p.completion_id, true FROM unnest($8::int[], $9::uuid[], $10::int[]) w(n, run, row)
         JOIN erased_person p ON p.run_id = w.run AND p.row_number = w.row AND p.environment = $1
       UNION SELECT t.n, p.id, p.issuance_id, p.completion_id, t.is_named FROM unnest($11::int[], $12::bytea[], $13::bytea[], $14::boolean[]) t(n, hash, name, is_named)
         JOIN erased_identifier i ON i.hash = t.hash JOIN erased_person p ON p.id = i.person_id AND p.environment = $1 AND p.name_hash = t.name),
     -- What has an identifier and the name of somebody who was found is of the same person.
     alike(n, id, is_named) AS (
       SELECT f.n, p.id, f.is_named FROM found f JOIN erased_person p ON p.id = f.person
       UNION SELECT f.n, p.id, f.is_named FROM found f JOIN erased_person p ON p.issuance_id = f.issuance
       UNION SELECT f.n, p.id, f.is_named FROM found f JOIN erased_person p ON p.completion_id = f.completion
       UNION SELECT a.n, o.id, a.is_named FROM alike a JOIN erased_person p ON p.id = a.id JOIN erased_identifier mine ON mine.person_id = p.id
         JOIN erased_identifier i ON i.hash = mine.hash JOIN erased_person o ON o.id = i.person_id AND o.environment = $1 AND o.name_hash = p.name_hash)
     SELECT f.n, f.person, e.issuance_id AS issuance, f.completion, f.is_named AS "isNamed", x.kind, encode(p.name_hash, 'hex') AS name, l.learner,
            CASE WHEN p.run_id IS NOT NULL THEN json_build_object('run', p.run_id, 'row', p.row_number) END AS row, to_char(x.requested_at AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS day
     FROM (SELECT * FROM found UNION SELECT a.n, a.id, p.issuance_id, p.completion_id, a.is_named FROM alike a JOIN erased_person p ON p.id = a.id) f
     LEFT JOIN erased_issuance e ON e.issuance_id = f.issuance AND e.released_at IS NULL
     LEFT JOIN LATERAL (SELECT * FROM erased_person o WHERE o.id = f.person OR (f.person IS NULL AND (o.issuance_id = f.issuance OR o.completion_id = f.completion)) LIMIT 1) p ON true
     LEFT JOIN erased_completion c ON c.completion_id = f.completion LEFT JOIN completion l ON l.id = f.completion
     JOIN erasure x ON x.id = coalesce(e.erasure_id, p.erasure_id, c.erasure_id)
     ORDER BY f.n, f.person, e.issuance_id, f.completion`,
    [
      ...[environment, hashes.map(({ n }) => n), hashes.map(({ hash }) => hash)],
      ...[learners.map(({ n }) => n), learners.map(({ hash }) => hash)],
      ...[ids.map(({ n }) => n), ids.map(({ issuance }) => issuance)],
      ...[named.map(({ n }) => n), named.map(({ run }) => run), named.map(({ row }) => row)],
      ...[traces.map(({ n }) => n), traces.map(({ hash }) => hash), traces.map(({ name }) => name)],
      traces.map(({ isNamed }) => isNamed),
    ],
  )
  const found = Map.groupBy(rows, ({ n }) => n)
  return whos.map((_, n) => found.get(n) ?? [])
}
