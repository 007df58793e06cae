// Reads the people of a course and their issuances from the ledger, for pipelines whose rows may identify people by
// different fields. Reads the database only.

import { PersonIndex } from '#src/domain/credential/person-index.ts'
import type { Sql } from '#src/platform/database/database.ts'

type Recipient = Readonly<Record<string, string>>

/** The rule by which two records are recognized as the same person. Fields are given by their display names. */
export interface PersonRule {
  nameFields: readonly string[]
  /** Fields that justify a second credential for the same person. */
  occurrence: readonly string[]
}

const pageRows = 10_000

/**
 * Returns an index of everyone in the ledger for a course, by issuance id. Issuances that a correction has replaced are
 * left out. Reads the whole course, which takes about a second for each 100,000 people, so it must not be called for
 * every file.
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
