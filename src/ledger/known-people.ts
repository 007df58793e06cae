// The people of a course, and where each is known from: for pipelines whose rows say by different fields who they are.

import type { Sql } from '#src/database/database.ts'
import { PersonIndex } from '#src/issuance/person-index.ts'

type Recipient = Readonly<Record<string, string>>

/** How two records are told to be one person. Display names of fields. */
export interface PersonRule {
  nameFields: readonly string[]
  /** Those that make a second credential for the same person legitimate. */
  occurrence: readonly string[]
}

const pageRows = 10_000

/**
 * Everybody whom the ledger knows for a course, by the ids of their issuances. What was corrected stands aside: another one has its place. It reads
 * the whole course, which takes about a second for each 100,000 people: not for every file.
 */
export async function knownPeople(
  sql: Sql,
  environment: string,
  course: string,
  { nameFields, occurrence }: PersonRule,
): Promise<PersonIndex> {
  const people = new PersonIndex(nameFields, occurrence)
  let after = 0
  for (;;) {
    const { rows } = await sql.query<{ id: number; recipient: Recipient }>(
      `SELECT i.id, i.recipient FROM issuance i WHERE i.environment = $1 AND i.course_uuid = $2 AND i.id > $3 AND i.recipient IS NOT NULL
         AND NOT EXISTS (SELECT FROM issuance n WHERE n.corrects = i.id) ORDER BY i.id LIMIT ${pageRows}`,
      [environment, course, after],
    )
    for (const { id, recipient } of rows) people.add(id, recipient)
    if (rows.length < pageRows) return people
    after = rows.at(-1)?.id ?? after
  }
}
