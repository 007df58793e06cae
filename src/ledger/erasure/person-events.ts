// Finds the inbound events about one person. An event that names other people as well, or has nothing of the person but an
// address, is not read out, only named.
// Reads the database only.

import { isCertainlyAbout, peopleInEvent, valuesInEvents } from '#src/domain/credential/people-in-event.ts'
import type { PersonRecord } from '#src/domain/credential/records-of-person.ts'
import type { Sql } from '#src/platform/database/database.ts'

export interface PersonEvents {
  events: { id: number; system: string; receivedAt: Date; headers: Record<string, string>; body: string }[]
  /** Events in which other people occur as well, or that may be about somebody else with the same address. */
  sharedEvents: { id: number; system: string; receivedAt: Date }[]
}

type Cells = Readonly<Record<string, string>>

interface StoredEvent {
  id: number
  system: string
  receivedAt: Date
  headers: Record<string, string>
  body: Buffer
}

const pageSize = 500

interface Person {
  records: readonly PersonRecord[]
  recipients: readonly Cells[]
  completions: readonly { system: string; learner: string; data: Cells }[]
}

/** @param confirming for systems whose events are confirmed by another system: that system, whose learner ids they have */
export async function readPersonEvents(
  sql: Sql,
  environment: string,
  person: Person,
  confirming: Readonly<Record<string, string>>,
): Promise<PersonEvents> {
  const found: PersonEvents = { events: [], sharedEvents: [] }
  const peopleIn = recognizer(person)
  for (let after = 0; ; ) {
    const { rows } = await sql.query<StoredEvent>(
      `SELECT id, system, arrived_at AS "receivedAt", headers, body FROM inbound_event
       WHERE environment = $1 AND id > $2 AND body IS NOT NULL ORDER BY id LIMIT ${pageSize}`,
      [environment, after],
    )
    for (const event of rows) {
      const people = peopleIn(event, confirming[event.system] ?? event.system)
      const { body, headers, ...named } = event
      if (people === 'alone') found.events.push({ ...named, headers, body: body.toString('utf8') })
      if (people === 'shared') found.sharedEvents.push(named)
    }
    const last = rows.at(-1)
    if (!last) return found
    after = last.id
  }
}

/** @returns who is in an event; what names the person is gathered once, and not for each event */
function recognizer({ records, recipients, completions }: Person) {
  const values = valuesInEvents(
    recipients,
    completions.map(({ data }) => data),
  )
  const learnersOf = Map.groupBy(completions, ({ system }) => system)
  return ({ body }: StoredEvent, system: string) => {
    const learners = new Set(learnersOf.get(system)?.map(({ learner }) => learner))
    const people = peopleInEvent(body, { learners, values })
    return people === 'alone' && !isCertainlyAbout(body, learners, records) ? 'shared' : people
  }
}
