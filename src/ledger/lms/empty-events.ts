// Deletes the bodies of inbound events about a person who is to be forgotten. Called before the person's completions and
// records are emptied, because the events are found by what these contain. Reads and writes the database.

import type { Hasher } from '#src/domain/credential/identity-hasher.ts'
import {
  isCertainlyAbout,
  type NamesInEvents,
  peopleInEvent,
  valuesInEvents,
} from '#src/domain/credential/people-in-event.ts'
import type { PersonRecord } from '#src/domain/credential/records-of-person.ts'
import type { Database, Sql } from '#src/platform/database/database.ts'
import { noBody } from './event-assignments.ts'
import { forgottenLearner, isForgottenLearner } from './forgotten-learner.ts'
import { stopRecording } from './recording-lock.ts'

interface EventWithBody {
  id: number
  system: string
  state: 'new' | 'processed' | 'unclaimed' | 'strange'
  body: Buffer
  /** Whether a completion of the erasure came from it. */
  isLinked: boolean
  /** Whether it is needed to process the completion of somebody else again. */
  isNeeded: boolean
  /** Whether it was not searched before, and whether all that came before it are known. */
  isNew: boolean
  isSettled: boolean
}

const pageSize = 500

/** The people of an erasure, as their issuances and rows show them. */
export interface PeopleToFind {
  recipients: readonly Readonly<Record<string, string>>[]
  records: readonly PersonRecord[]
  /** Of those of whom no data are left, the hashes are compared. */
  hasher: Hasher
}

/** How events are searched. */
export interface SearchedEvents {
  /** For systems whose events are confirmed by another system: that system, whose learner ids they have. */
  confirming: Readonly<Record<string, string>>
  /** Events that were searched a moment ago, although not for good: they are left out. `emptyEvents` adds to them. */
  searched: Set<number>
}

/** An event that came less long ago may still be followed by one with a smaller id, whose transaction took longer. */
const settledAfter = '5 minutes'

/**
 * Deletes bodies of events. One that is processed goes. One that is not, because it was not understood or its course is
 * not known, is closed if it is about this person only, by the learner's id or by name and address. An event that may be
 * about other people, and may be needed for them, is kept: the erasure has to wait for it. Events that were searched
 * before are looked at again only if the erasure waits for them. Each page is a transaction, and what was searched is
 * recorded with it: the next call continues there.
 * @param options.pages how many pages of events that were not searched before; those of the last minutes are always searched
 * @returns the ids of the events to wait for; null if there are more to search
 */
export async function emptyEvents(
  db: Database,
  erasureId: string,
  people: PeopleToFind,
  { pages, ...search }: SearchedEvents & { pages: number },
): Promise<number[] | null> {
  const person = await namesOf(db, erasureId, people)
  for (let after = 0, left = pages; ; ) {
    const page = await db.transaction((sql) => emptyPage(sql, erasureId, person, { ...search, after }))
    // Not before the transaction has ended, which may be repeated.
    for (const id of page.unsettled) search.searched.add(id)
    if (page.last === null) return page.waiting
    after = page.last
    left -= Number(page.isNew)
    if (left <= 0 && page.isSettled) return null
  }
}

/**
 * Does the same with the events that came since the search before, in the transaction that empties the people. No event
 * can come until it ends.
 * @returns the ids of the events to wait for
 */
export async function emptyLateEvents(
  sql: Sql,
  erasureId: string,
  people: PeopleToFind,
  search: SearchedEvents,
): Promise<number[]> {
  const person = await namesOf(sql, erasureId, people)
  await stopRecording(sql, person.environment)
  for (let after = 0; ; ) {
    const page = await emptyPage(sql, erasureId, person, { ...search, after })
    if (page.last === null) return page.waiting
    after = page.last
  }
}

interface SearchedPage {
  /** What the erasure waits for, as far as is known. */
  waiting: number[]
  /** The last event of the page; null if there are no more. */
  last: number | null
  isNew: boolean
  /** What it has searched, though not for good, apart from what the erasure waits for. */
  unsettled: number[]
  /** Whether what it has searched counts as searched for good. */
  isSettled: boolean
}

async function emptyPage(
  sql: Sql,
  erasureId: string,
  person: PersonInEvents,
  { confirming, searched, after }: SearchedEvents & { after: number },
): Promise<SearchedPage> {
  const events = await eventsAfter(sql, { erasureId, environment: person.environment }, { after, searched })
  const waiting: number[] = []
  const about = events.filter((event) => {
    const system = confirming[event.system] ?? event.system
    const learners = person.learners.get(system) ?? new Set()
    const found = peopleInEvent(event.body, { learners, values: person.values, hashed: person.hashedIn(system) })
    if (found === 'nobody' && !event.isLinked) return false
    // An unprocessed event is about to be processed, or waits for its course: it may lead to a completion.
    const isOver = event.state === 'processed' && !event.isNeeded
    const isHers = () => found === 'alone' && isCertainlyAbout(event.body, learners, person.records)
    if (!isOver && (event.state === 'new' || event.isNeeded || !isHers())) waiting.push(event.id)
    return true
  })
  const toClose = about.filter(({ id }) => !waiting.includes(id))
  waiting.push(...(await closeEvents(sql, toClose)))
  const last = events.length < pageSize ? null : (events.at(-1)?.id ?? null)
  const settled = events.findLast(({ isSettled }) => isSettled)?.id ?? 0
  const { rows } = await sql.query<{ waiting: number[] }>(
    `UPDATE erasure SET events_to = greatest(events_to, $5), events_at = CASE WHEN $4::bigint IS NULL THEN clock_timestamp() ELSE events_at END,
       waiting_events = ARRAY(SELECT w FROM unnest(waiting_events) w WHERE w <= $3 OR w > $4::bigint UNION SELECT unnest($2::bigint[]) ORDER BY 1)
     WHERE id = $1 RETURNING waiting_events::text[]::int[] AS waiting`,
    [erasureId, waiting, after, last, settled],
  )
  return {
    ...{ waiting: rows[0]?.waiting ?? [], last },
    unsettled: events.flatMap(({ id, isSettled }) => (isSettled || waiting.includes(id) ? [] : [id])),
    ...{ isNew: events.some(({ isNew }) => isNew), isSettled: settled === events.at(-1)?.id },
  }
}

/** @returns the ids of those that were left alone, because they have changed since they were read */
async function closeEvents(sql: Sql, events: readonly EventWithBody[]): Promise<number[]> {
  if (events.length === 0) return []
  const { rows } = await sql.query<{ id: number }>(
    `UPDATE inbound_event v SET ${noBody}, problem = NULL, processed_at = coalesce(processed_at, clock_timestamp()), state = 'processed'
     FROM unnest($1::bigint[], $2::text[]) AS seen(id, state) WHERE v.id = seen.id AND v.state = seen.state RETURNING v.id`,
    [events.map(({ id }) => id), events.map(({ state }) => state)],
  )
  const closed = new Set(rows.map(({ id }) => id))
  return events.flatMap(({ id }) => (closed.has(id) ? [] : [id]))
}

/** Why an erasure waits for events: a sentence without values. Pure. */
export function waitsForEvents(events: readonly number[]): string {
  const [are, them] = events.length === 1 ? ['An event is', 'it'] : [`${events.length} events are`, 'them']
  const names = events.slice(0, 5).map((id) => `d${id}`)
  return `${are} not processed yet, or may be about other people: ${names.join(', ')}${events.length > 5 ? ' and more' : ''}. Process ${them} again (credsync events replay), see what ${events.length === 1 ? 'it says' : 'they say'} (credsync events show ${names[0]}), or close ${them} if no credential is to come of ${them} (credsync events close ${names[0]}).`
}

async function eventsAfter(
  sql: Sql,
  { erasureId, environment }: { erasureId: string; environment: string },
  { after, searched }: { after: number; searched: ReadonlySet<number> },
): Promise<EventWithBody[]> {
  const isErased = `(c.id IN (SELECT completion_id FROM erased_completion WHERE erasure_id = $2) OR EXISTS (
    SELECT FROM run_row r JOIN erased_issuance e ON e.issuance_id = r.issuance_id
    WHERE r.run_id = c.run_id AND r.row_number = c.row_number AND r.outcome = 'accepted' AND e.erasure_id = $2))`
  const { rows } = await sql.query<EventWithBody>(
    `SELECT v.id, v.system, v.state, v.body, v.id > x.events_to AS "isNew", v.arrived_at < clock_timestamp() - interval '${settledAfter}' AS "isSettled", EXISTS (SELECT FROM completion c WHERE c.event_id = v.id AND ${isErased}) AS "isLinked",
            EXISTS (SELECT FROM completion c WHERE c.event_id = v.id AND c.refused_by IS NOT NULL AND NOT ${isErased}) AS "isNeeded"
     FROM inbound_event v, erasure x WHERE x.id = $2 AND v.environment = $1 AND v.id > $3 AND v.body IS NOT NULL
       AND (v.id > x.events_to OR v.id = ANY(x.waiting_events)) AND v.id NOT IN (SELECT unnest($4::bigint[])) ORDER BY v.id LIMIT ${pageSize}`,
    [environment, erasureId, after, [...searched]],
  )
  return rows
}

interface PersonInEvents {
  environment: string
  /** Ids by system. */
  learners: ReadonlyMap<string, ReadonlySet<string>>
  /** Values of any system. */
  values: NamesInEvents['values']
  /** Of somebody whose data were deleted before, or of whom there are only rows. */
  hashedIn(system: string): Required<NamesInEvents>['hashed']
  records: readonly PersonRecord[]
}

/** What names the people of an erasure in events. */
async function namesOf(
  sql: Sql,
  erasureId: string,
  { recipients, records, hasher }: PeopleToFind,
): Promise<PersonInEvents> {
  const { rows: erasure } = await sql.query<{ environment: string }>('SELECT environment FROM erasure WHERE id = $1', [
    erasureId,
  ])
  const { rows: completions } = await sql.query<{ system: string; learner: string; cells: Record<string, string> }>(
    `SELECT c.system, c.learner, c.cells
     FROM completion c WHERE c.id IN (
       SELECT completion_id FROM erased_completion WHERE erasure_id = $1
       UNION SELECT c.id FROM erased_issuance e JOIN run_row r ON r.issuance_id = e.issuance_id
         JOIN completion c ON c.run_id = r.run_id AND c.row_number = r.row_number WHERE e.erasure_id = $1 AND r.outcome = 'accepted')`,
    [erasureId],
  )
  const hashes = await identifiersOf(sql, erasureId)
  const forgotten = new Set(completions.map(({ learner }) => learner).filter(isForgottenLearner))
  const environment = erasure[0]?.environment ?? ''
  const learners = new Map<string, Set<string>>()
  for (const { system, learner } of completions)
    if (!isForgottenLearner(learner)) learners.set(system, (learners.get(system) ?? new Set()).add(learner))
  return {
    environment,
    learners,
    hashedIn: (system) => ({
      hasAddress: (address) => hashes.has(hasher.identifier(address).toString('hex')),
      hasLearner: (learner) =>
        forgotten.size > 0 && forgotten.has(forgottenLearner(hasher, { environment, system, learner })),
    }),
    values: valuesInEvents(
      recipients,
      completions.map(({ cells }) => cells),
    ),
    records,
  }
}

/** What is kept of the addresses and numbers of the people of an erasure, in hex. */
async function identifiersOf(sql: Sql, erasureId: string): Promise<ReadonlySet<string>> {
  const { rows } = await sql.query<{ hash: string }>(
    `SELECT encode(h.hash, 'hex') AS hash FROM erased_issuance e JOIN erased_identifier h ON h.issuance_id = e.issuance_id WHERE e.erasure_id = $1
     UNION SELECT encode(h.hash, 'hex') FROM erased_trace t JOIN erased_trace_identifier h ON h.trace_id = t.id WHERE t.erasure_id = $1 AND NOT h.is_whole`,
    [erasureId],
  )
  return new Set(rows.map(({ hash }) => hash))
}
