// Deletes the bodies of inbound events about a person who is to be forgotten. Called before the person's completions and
// records are emptied, because the events are found by what these contain. Reads and writes the database within the
// caller's transaction.

import { type NamesInEvents, peopleInEvent } from '#src/domain/credential/people-in-event.ts'
import type { Sql } from '#src/platform/database/database.ts'
import { noBody } from './event-assignments.ts'
import { isForgottenLearner } from './forgotten-learner.ts'

interface EventWithBody {
  id: number
  system: string
  state: 'new' | 'judged' | 'unclaimed' | 'strange'
  body: Buffer
  /** Whether a completion of the erasure came from it. */
  isLinked: boolean
  /** Whether it is needed to process the completion of somebody else again. */
  isNeeded: boolean
}

const pageSize = 500
/** Columns of a completion that name a learner in events. */
const namingColumns = ['email', 'username', 'idnumber']

/**
 * Deletes bodies of events. One that is processed goes. One that is not, because it was not understood or its course is
 * not known, is closed if it is about this person only. An event that names other people as well, and may be needed for
 * them, is kept: the erasure has to wait for it.
 * @param confirming for systems whose events are confirmed by another system: that system, whose learner ids they have
 * @returns the ids of the events to wait for
 */
export async function emptyEvents(
  sql: Sql,
  erasureId: string,
  confirming: Readonly<Record<string, string>> = {},
): Promise<number[]> {
  const { environment, learners, values } = await namesOf(sql, erasureId)
  const waiting: number[] = []
  for (let after = 0; ; ) {
    const events = await eventsAfter(sql, { erasureId, environment }, after)
    const closing: number[] = []
    for (const event of events) {
      const ids = learners.get(confirming[event.system] ?? event.system) ?? []
      const found = peopleInEvent(event.body, { learners: ids, values })
      if (found === 'nobody' && !event.isLinked) continue
      const isProcessed = event.state === 'judged' && !event.isNeeded
      // An unprocessed event is about to be processed, or waits for its course: it may lead to a completion.
      if (isProcessed || (event.state !== 'new' && found === 'alone' && !event.isNeeded)) closing.push(event.id)
      else waiting.push(event.id)
    }
    await sql.query(
      `UPDATE delivery SET ${noBody}, problem = NULL, judged_at = coalesce(judged_at, clock_timestamp()), state = 'judged' WHERE id = ANY($1::bigint[])`,
      [closing],
    )
    const last = events.at(-1)
    if (!last) return waiting
    after = last.id
  }
}

/** Why an erasure waits for events: a sentence without values. Pure. */
export function waitsForEvents(events: readonly number[]): string {
  const [are, them] = events.length === 1 ? ['An event is', 'it'] : [`${events.length} events are`, 'them']
  return `${are} not processed yet, or also about other people: ${events.slice(0, 5).join(', ')}${events.length > 5 ? ' and more' : ''}. Process ${them} again (credsync events replay), or see what ${events.length === 1 ? 'it says' : 'they say'} (credsync events show ${events[0]}).`
}

async function eventsAfter(
  sql: Sql,
  { erasureId, environment }: { erasureId: string; environment: string },
  after: number,
): Promise<EventWithBody[]> {
  const isErased = `(c.id IN (SELECT completion_id FROM erased_completion WHERE erasure_id = $2) OR EXISTS (
    SELECT FROM run_row r JOIN erased_issuance e ON e.issuance_id = r.issuance_id
    WHERE r.run_id = c.run_id AND r.row_number = c.row_number AND e.erasure_id = $2))`
  const { rows } = await sql.query<EventWithBody>(
    `SELECT d.id, d.system, d.state, d.body, EXISTS (SELECT FROM completion c WHERE c.delivery_id = d.id AND ${isErased}) AS "isLinked",
            EXISTS (SELECT FROM completion c WHERE c.delivery_id = d.id AND c.refused_by IS NOT NULL AND NOT ${isErased}) AS "isNeeded"
     FROM delivery d WHERE d.environment = $1 AND d.id > $3 AND d.body IS NOT NULL ORDER BY d.id LIMIT ${pageSize} FOR NO KEY UPDATE OF d`,
    [environment, erasureId, after],
  )
  return rows
}

/** What names the person in events: ids by system, and values of any system. */
async function namesOf(
  sql: Sql,
  erasureId: string,
): Promise<{ environment: string; learners: Map<string, string[]>; values: NamesInEvents['values'] }> {
  const { rows } = await sql.query<{
    environment: string
    system: string | null
    learner: string | null
    value: string | null
  }>(
    `WITH own AS (
       SELECT c.* FROM completion c JOIN erased_completion e ON e.completion_id = c.id WHERE e.erasure_id = $1
       UNION SELECT c.* FROM erased_issuance e JOIN run_row r ON r.issuance_id = e.issuance_id
         JOIN completion c ON c.run_id = r.run_id AND c.row_number = r.row_number WHERE e.erasure_id = $1)
     SELECT erasure.environment, v.system, v.learner, v.value FROM erasure LEFT JOIN (
       SELECT system, learner, NULL AS value FROM own
       UNION SELECT NULL, NULL, own.cells->>n FROM own, unnest($2::text[]) n
       UNION SELECT NULL, NULL, f.value FROM erased_issuance e JOIN issuance i ON i.id = e.issuance_id, jsonb_each_text(i.recipient) f
         WHERE e.erasure_id = $1 AND f.value LIKE '%@%') v ON true WHERE erasure.id = $1`,
    [erasureId, namingColumns],
  )
  const learners = new Map<string, string[]>()
  for (const { system, learner } of rows)
    if (system !== null && learner !== null && !isForgottenLearner(learner))
      learners.set(system, [...(learners.get(system) ?? []), learner])
  const environment = rows[0]?.environment ?? ''
  return { environment, learners, values: rows.flatMap(({ value }) => value ?? []) }
}
