// Deletes the bodies of inbound events about the people of an erasure. Called before anything else of them is emptied,
// because they are found in events by what is emptied then. Reads and writes the database.

import { noBody, stopRecording } from '#src/extensions/lms/ledger/inbound-events.ts'
import type { Database, Sql } from '#src/platform/database/database.ts'
import { type NamesInEvents, peopleInEvent, valuesInEvents } from './people-in-event.ts'

/** For systems whose events are confirmed by another system: that system, whose learner ids they have. */
export type Confirming = Readonly<Record<string, string>>

export interface EventSearch {
  /** Events that the erasure has to wait for: they are not processed yet, or somebody else needs them. */
  waiting: number[]
  isDone: boolean
}

const pageSize = 500

/** An event that came less long ago may still be followed by one with a smaller id, whose transaction took longer. */
const settledAfter = '5 minutes'

/** Searches the events that were not searched conclusively before, page by page. @param pages how many pages at most */
export async function emptyEvents(
  db: Database,
  erasureId: string,
  { confirming, pages }: { confirming: Confirming; pages: number },
): Promise<EventSearch> {
  const waiting: number[] = []
  for (let after = 0, left = pages; left > 0; left--) {
    const page = await db.transaction((sql) =>
      emptyPage(sql, erasureId, { confirming, after, isFree: waiting.length === 0 }),
    )
    waiting.push(...page.waiting)
    if (page.last === null) return { waiting, isDone: true }
    after = page.last
  }
  return { waiting, isDone: false }
}

/**
 * Does the same in the transaction that empties the people, with what came since. No event can come until it ends.
 * @returns the ids of the events to wait for
 */
export async function emptyLateEvents(sql: Sql, erasureId: string, confirming: Confirming): Promise<number[]> {
  const { rows } = await sql.query<{ environment: string }>('SELECT environment FROM erasure WHERE id = $1', [
    erasureId,
  ])
  await stopRecording(sql, rows[0]?.environment ?? '')
  const waiting: number[] = []
  for (let after: number | null = 0; after !== null; ) {
    const page: SearchedPage = await emptyPage(sql, erasureId, { confirming, after, isFree: waiting.length === 0 })
    waiting.push(...page.waiting)
    after = page.last
  }
  return waiting
}

interface StoredEvent {
  id: number
  system: string
  state: 'new' | 'processed' | 'unclaimed' | 'strange'
  body: Buffer
  /** Whether a completion of the erasure came from it. */
  isLinked: boolean
  /** Whether it is needed to process the completion of somebody else again. */
  isNeeded: boolean
  isSettled: boolean
}

interface SearchedPage {
  waiting: number[]
  /** The last event of the page; null if there are no more. */
  last: number | null
}

/**
 * An event that is processed goes. One that is not, because it was not understood or its course is not known, goes if
 * it names nobody else.
 * @param isFree whether no event of the pages before has to be waited for
 */
async function emptyPage(
  sql: Sql,
  erasureId: string,
  { confirming, after, isFree }: { confirming: Confirming; after: number; isFree: boolean },
): Promise<SearchedPage> {
  const events = await eventsAfter(sql, erasureId, after)
  const namesIn = await readNames(sql, erasureId)
  const about = events.flatMap((event) => {
    const people = peopleInEvent(event.body, namesIn(confirming[event.system] ?? event.system))
    return people === 'nobody' && !event.isLinked ? [] : [{ event, people }]
  })
  const toClose = about.filter(
    ({ event: { state, isNeeded }, people }) =>
      !isNeeded && (state === 'processed' || (state !== 'new' && people === 'alone')),
  )
  const closed = await closeEvents(
    sql,
    toClose.map(({ event }) => event),
  )
  const waiting = about.flatMap(({ event: { id } }) => (closed.has(id) ? [] : [id]))
  const first = waiting[0] ?? Number.POSITIVE_INFINITY
  const searchedTo = events.findLast(({ id, isSettled }) => isSettled && id < first)?.id ?? 0
  const last = events.length < pageSize ? null : (events.at(-1)?.id ?? null)
  // What it has to wait for is looked at again, and so is what came after that.
  await sql.query(
    `UPDATE erasure SET events_to = CASE WHEN $3 THEN greatest(events_to, $2::bigint) ELSE events_to END,
       event_found_at = CASE WHEN $4 THEN clock_timestamp() WHEN $3 THEN NULL ELSE event_found_at END WHERE id = $1`,
    [erasureId, searchedTo, isFree, waiting.length > 0],
  )
  return { waiting, last }
}

async function eventsAfter(sql: Sql, erasureId: string, after: number): Promise<StoredEvent[]> {
  const isErased = 'EXISTS (SELECT FROM erased_completion e WHERE e.completion_id = c.id AND e.erasure_id = $1)'
  const { rows } = await sql.query<StoredEvent>(
    `SELECT v.id, v.system, v.state, v.body, v.arrived_at < clock_timestamp() - interval '${settledAfter}' AS "isSettled",
            EXISTS (SELECT FROM completion c WHERE c.event_id = v.id AND ${isErased}) AS "isLinked",
            EXISTS (SELECT FROM completion c WHERE c.event_id = v.id AND c.refused_by IS NOT NULL AND NOT ${isErased}) AS "isNeeded"
     FROM inbound_event v, erasure x WHERE x.id = $1 AND v.environment = x.environment AND v.id > greatest($2, x.events_to) AND v.body IS NOT NULL
     ORDER BY v.id LIMIT ${pageSize}`,
    [erasureId, after],
  )
  return rows
}

/** What names the people of an erasure in the events of a system, as far as it is not emptied. */
async function readNames(sql: Sql, erasureId: string): Promise<(system: string) => NamesInEvents> {
  type Cells = Readonly<Record<string, string>>
  const { rows: issuances } = await sql.query<{ recipient: Cells }>(
    `SELECT i.recipient FROM erased_issuance e JOIN issuance i ON i.id = e.issuance_id
     WHERE e.erasure_id = $1 AND e.emptied_at IS NULL AND i.recipient IS NOT NULL`,
    [erasureId],
  )
  const { rows } = await sql.query<{ cells: string[] }>(
    `SELECT r.cells FROM erased_row e JOIN run_row r ON r.run_id = e.run_id AND r.row_number = e.row_number
     WHERE e.erasure_id = $1 AND e.emptied_at IS NULL`,
    [erasureId],
  )
  const { rows: completions } = await sql.query<{ system: string; learner: string; cells: Cells }>(
    `SELECT c.system, c.learner, c.cells FROM erased_completion e JOIN completion c ON c.id = e.completion_id
     WHERE e.erasure_id = $1 AND e.emptied_at IS NULL`,
    [erasureId],
  )
  const recipients = [
    ...issuances.map(({ recipient }) => recipient),
    ...rows.map(({ cells }) => Object.fromEntries(Object.entries(cells))),
  ]
  const values = valuesInEvents(
    recipients,
    completions.map(({ cells }) => cells),
  )
  const bySystem = Map.groupBy(completions, ({ system }) => system)
  return (system) => ({ learners: new Set(bySystem.get(system)?.map(({ learner }) => learner)), values })
}

/** @returns those that were closed. One that has changed since it was read is left alone */
async function closeEvents(sql: Sql, events: readonly StoredEvent[]): Promise<ReadonlySet<number>> {
  if (events.length === 0) return new Set()
  const { rows } = await sql.query<{ id: number }>(
    `UPDATE inbound_event v SET ${noBody}, problem = NULL, processed_at = coalesce(processed_at, clock_timestamp()), state = 'processed'
     FROM unnest($1::bigint[], $2::text[]) AS seen(id, state) WHERE v.id = seen.id AND v.state = seen.state RETURNING v.id`,
    [events.map(({ id }) => id), events.map(({ state }) => state)],
  )
  return new Set(rows.map(({ id }) => id))
}

/** Why an erasure waits for events: a sentence without values. Pure. */
export function waitsForEvents(events: readonly number[]): string {
  const [are, them] = events.length === 1 ? ['An event is', 'it'] : [`${events.length} events are`, 'them']
  const names = events.slice(0, 5).map((id) => `d${id}`)
  return `${are} not processed yet, or may be about other people: ${names.join(', ')}${events.length > 5 ? ' and more' : ''}. Process ${them} again (credsync events replay), see what ${events.length === 1 ? 'it says' : 'they say'} (credsync events show ${names[0]}), or close ${them} if no credential is to come of ${them} (credsync events close ${names[0]}).`
}
