// Empties the people of expired lists, once every list that names them has expired. It is an erasure of kind
// `retention`, with the same hashes, so that nobody is issued twice. Writes to the database within the caller's
// transaction.

import type { Hasher } from '#src/domain/credential/identity-hasher.ts'
import type { Sql } from '#src/platform/database/database.ts'
import { eachOf } from '#src/platform/database/each-of.ts'
import { tryLockPublications } from '../runs/publication-lock.ts'
import { emptyIssuances } from './empty-issuances.ts'
import { erasureOfToday } from './erasure-of-today.ts'
import { isPast, type RetentionScope } from './expire-rows.ts'
import type { ComparisonOf } from './person-records.ts'
import { writeIssuances } from './request-erasure.ts'
import { waitsInRetention } from './retention-waits.ts'
import { writeCompletions } from './write-contents.ts'

/** One who waits for something is looked at again after this. */
const againAfter = `interval '1 hour'`

interface Line {
  /** The issuance in the queue. */
  first: number
  /** With everything that corrects it, and that it corrects. */
  ids: number[]
}

/**
 * Looks at the next people in the queue. Whoever is on a list that has not expired leaves it, because that list brings
 * them again; whoever waits for something stays.
 * @returns how many were looked at, and how many of them were emptied
 */
export async function expirePeople(
  sql: Sql,
  scope: RetentionScope,
  { hasher, comparisonOf, limit }: { hasher: Hasher; comparisonOf: ComparisonOf; limit: number },
): Promise<{ seen: number; emptied: number }> {
  const { environment, pipeline } = scope
  const { rows: next } = await sql.query<{ id: number; course: string }>(
    `SELECT i.id, i.course_uuid AS course FROM expiring_issuance q CROSS JOIN LATERAL (SELECT * FROM issuance WHERE id = q.issuance_id OFFSET 0) i
     WHERE i.environment = $1 AND i.pipeline = $2 AND q.looked_at < clock_timestamp() - ${againAfter} ORDER BY q.looked_at, q.issuance_id LIMIT $3`,
    [environment, pipeline, limit],
  )
  if (next.length === 0) return { seen: 0, emptied: 0 }
  // A list that is being published may name them.
  if (
    !(await tryLockPublications(
      sql,
      next.map(({ course }) => course),
    ))
  )
    return { seen: 0, emptied: 0 }
  const lines = await linesOf(
    sql,
    next.map(({ id }) => id),
  )
  const all = [...new Set(lines.flatMap(({ ids }) => ids))]
  const { rows: issuances } = await sql.query<{ id: number; pipeline: string; course: string; recipient: Recipient }>(
    `SELECT id, pipeline, course_uuid AS course, recipient FROM issuance WHERE id = ${eachOf('$1')} ORDER BY id FOR NO KEY UPDATE`,
    [all],
  )
  const { kept, waiting } = await whatKeeps(sql, scope, all)
  const isFree = ({ ids }: Line) => !ids.some((id) => kept.has(id) || waiting.has(id))
  const free = new Set(lines.filter(isFree).flatMap(({ ids }) => ids))
  const isOver = (line: Line) => isFree(line) || line.ids.some((id) => kept.has(id))
  await sql.query(`DELETE FROM expiring_issuance WHERE issuance_id = ${eachOf('$1')}`, [
    [...free, ...lines.filter(isOver).map(({ first }) => first)],
  ])
  await sql.query(`UPDATE expiring_issuance SET looked_at = clock_timestamp() WHERE issuance_id = ${eachOf('$1')}`, [
    next.map(({ id }) => id),
  ])
  const toEmpty = issuances.filter(({ id }) => free.has(id))
  if (toEmpty.length === 0) return { seen: next.length, emptied: 0 }
  const erasureId = await erasureOfToday(sql, scope)
  await writeIssuances(sql, { erasureId, environment }, toEmpty, { hasher, comparisonOf })
  await writeCompletions(sql, erasureId, environment, {
    ids: [...free],
    completions: [],
    others: { runs: [], rows: [] },
  })
  // At once: nothing can happen to them in between.
  while ((await emptyIssuances(sql, erasureId, hasher)).length > 0);
  return { seen: next.length, emptied: toEmpty.length }
}

type Recipient = Readonly<Record<string, string>> | null

async function linesOf(sql: Sql, ids: readonly number[]): Promise<Line[]> {
  const { rows } = await sql.query<Line>(
    `SELECT q.id AS first, ARRAY(
       WITH RECURSIVE earlier AS (
         SELECT id, corrects FROM issuance WHERE id = q.id UNION SELECT o.id, o.corrects FROM earlier JOIN issuance o ON o.id = earlier.corrects),
       line AS (SELECT id FROM earlier UNION SELECT n.id FROM line JOIN issuance n ON n.corrects = line.id)
       SELECT id::int FROM line) AS ids
     FROM unnest($1::bigint[]) q(id)`,
    [ids],
  )
  return rows
}

/** @returns those whom a list names that is not expired, and those who wait for something */
async function whatKeeps(sql: Sql, { days, now }: RetentionScope, ids: readonly number[]) {
  const { rows } = await sql.query<{ id: number; named: boolean; waits: boolean }>(
    `SELECT i.id, ${waitsInRetention} AS waits, EXISTS (
       SELECT FROM run_row r JOIN run ON run.id = r.run_id
       WHERE r.issuance_id = i.id AND (run.expired_at IS NULL OR (${isPast('run.settled_at', '$3', '$2')}) IS NOT TRUE)) AS named
     FROM issuance i WHERE i.id = ${eachOf('$1')}`,
    [ids, days, now],
  )
  return {
    kept: new Set(rows.filter(({ named }) => named).map(({ id }) => id)),
    waiting: new Set(rows.filter(({ waits }) => waits).map(({ id }) => id)),
  }
}
