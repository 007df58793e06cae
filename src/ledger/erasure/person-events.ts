// Finds the inbound events about one person. An event that names other people as well, or has nothing of the person but an
// address, is not read out, only named.
// Reads the database only.

import { peopleInEvent } from '#src/domain/credential/people-in-event.ts'
import { type PersonRecord, verdictOnCells } from '#src/domain/credential/records-of-person.ts'
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
/** Columns of a completion that name a learner in events. */
const namingColumns = ['email', 'username', 'idnumber']

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
  for (let after = 0; ; ) {
    const { rows } = await sql.query<StoredEvent>(
      `SELECT id, system, arrived_at AS "receivedAt", headers, body FROM delivery
       WHERE environment = $1 AND id > $2 AND body IS NOT NULL ORDER BY id LIMIT ${pageSize}`,
      [environment, after],
    )
    for (const event of rows) {
      const people = peopleIn(event, person, confirming[event.system] ?? event.system)
      const { body, headers, ...named } = event
      if (people === 'alone') found.events.push({ ...named, headers, body: body.toString('utf8') })
      if (people === 'shared') found.sharedEvents.push(named)
    }
    const last = rows.at(-1)
    if (!last) return found
    after = last.id
  }
}

function peopleIn({ body }: StoredEvent, { records, recipients, completions }: Person, system: string) {
  const learners = completions.flatMap((each) => (each.system === system ? each.learner : []))
  const addresses = recipients.flatMap((recipient) => Object.values(recipient).filter((value) => value.includes('@')))
  const names = completions.flatMap(({ data }) => namingColumns.flatMap((column) => data[column] || []))
  const people = peopleInEvent(body, { learners, values: [...addresses, ...names] })
  if (people !== 'alone') return people
  const isByLearner = learners.length > 0 && peopleInEvent(body, { learners, values: [] }) !== 'nobody'
  return isByLearner || verdictOnCells(textsIn(body), records) === 'same' ? 'alone' : 'shared'
}

/** Every text of a JSON document. Only such documents are known to be about one person alone. */
function textsIn(body: Buffer): string[] {
  const texts: string[] = []
  JSON.parse(body.toString('utf8'), (_, value) => {
    if (typeof value === 'string') texts.push(value)
    return value
  })
  return texts
}
