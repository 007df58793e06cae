// Finds the records of people whom an operator names: issuances, rows that led to none, and completions. Records are
// found by equality of an identifier; those that share one and have another name are somebody else's, and are only
// listed. One account of a learning system is one person, whatever its addresses. Reads the database only.

import { identifiersInText } from '#src/domain/credential/forgotten-person.ts'
import type { Hasher } from '#src/domain/credential/identity-hasher.ts'
import type { Sql } from '#src/platform/database/database.ts'
import { forgottenLearner } from '../lms/forgotten-learner.ts'
import { type FieldsOf, type PersonRecord, PersonRecords, type Records, recordsOf, type Who } from './person-records.ts'

export interface FoundPerson extends Records {
  /** What shares an identifier with the person and has another name. */
  others: Records
  /** If WHO may be several people: their records. Nothing is chosen then. */
  ambiguous: Records
  /** What was forgotten of the person before, and when: a release takes it along. */
  earlier: Earlier
  recipient: Readonly<Record<string, string>> | null
}

export interface Earlier {
  ids: number[]
  completions: number[]
  /** By what the person is recognized. */
  people: number[]
  day: string | null
}

export async function findPeople(
  sql: Sql,
  environment: string,
  whos: readonly Who[],
  { fieldsOf, hasher }: { fieldsOf: FieldsOf; hasher: Hasher },
): Promise<FoundPerson[]> {
  const known = new PersonRecords(sql, environment, fieldsOf)
  const named = await known.named(whos)
  const valuesOf = ({ text }: Who) => identifiersInText(text)
  await known.search(whos.flatMap((who, n) => (named[n] ? [] : valuesOf(who))))
  const people = whos.map((who, n) => {
    const { records = known.withIdentifier(valuesOf(who)), isCertain = false } = named[n] ?? {}
    const seeds = records.toSorted((a, b) => Number(b.name !== '') - Number(a.name !== ''))
    return { seeds, isNamed: isCertain, chosen: new Set<PersonRecord>(), others: new Set<PersonRecord>() }
  })
  // Each round may bring an address or an account that was not known before.
  do
    for (const { seeds, isNamed, chosen, others } of people)
      known.gather(isNamed ? seeds : seeds.slice(0, 1), chosen, others)
  while (await known.follow(people.flatMap(({ seeds, chosen }) => [...seeds, ...chosen])))
  const earlier = await findEarlier(sql, environment, whos, hasher)
  return people.map((person, n) => {
    const isClear = isOnePerson(person)
    const [chosen, others] = isClear ? [person.chosen, person.others] : [[], []]
    return {
      ...recordsOf(chosen),
      others: recordsOf(others),
      ambiguous: recordsOf(isClear ? [] : person.seeds),
      earlier: earlier[n] ?? { ids: [], completions: [], people: [], day: null },
      recipient: [...chosen].find(({ kind }) => kind === 'issuance')?.recipient ?? null,
    }
  })
}

interface Choice {
  /** With a name before those without. */
  seeds: readonly PersonRecord[]
  /** Whether WHO names the records themselves, and not an address or a number. */
  isNamed: boolean
  chosen: Set<PersonRecord>
  others: Set<PersonRecord>
}

/** An address may be of a family or an office: if its records have several names, nobody is chosen. */
function isOnePerson({ seeds, isNamed, chosen }: Choice): boolean {
  if (isNamed) return true
  const named = seeds.filter(({ name }) => name !== '')
  return (named.length > 0 ? named : seeds).every((seed) => chosen.has(seed))
}

/** Of those who were forgotten before, only hashes and ids are left. */
async function findEarlier(sql: Sql, environment: string, whos: readonly Who[], hasher: Hasher): Promise<Earlier[]> {
  const { rows: systems } = await sql.query<{ system: string }>(
    'SELECT DISTINCT c.system FROM erased_completion e JOIN completion c ON c.id = e.completion_id WHERE c.environment = $1',
    [environment],
  )
  const hashes = whos.flatMap(({ text }, n) =>
    identifiersInText(text).map((value) => ({ n, hash: hasher.identifier(value) })),
  )
  const learners = whos.flatMap(({ text, learner }, n) =>
    (learner ? [learner] : systems.map(({ system }) => ({ system, learner: text }))).map((account) => ({
      n,
      hash: forgottenLearner(hasher, { environment, ...account }),
    })),
  )
  const ids = whos.flatMap(({ issuance }, n) => (issuance === null ? [] : [{ n, issuance }]))
  const named = whos.flatMap(({ row }, n) => (row ? [{ n, ...row }] : []))
  const { rows } = await sql.query<Omit<Earlier, 'day'> & { n: number; day: string | null }>(
    `WITH found AS (
       SELECT h.n, p.id AS person, p.issuance_id, p.completion_id FROM unnest($2::int[], $3::bytea[]) h(n, hash)
         JOIN erased_identifier i ON i.hash = h.hash JOIN erased_person p ON p.id = i.person_id AND p.environment = $1
       UNION SELECT l.n, NULL, r.issuance_id, c.id FROM unnest($4::int[], $5::text[]) l(n, learner)
         JOIN completion c ON c.environment = $1 AND c.learner = l.learner LEFT JOIN run_row r ON r.run_id = c.run_id AND r.row_number = c.row_number AND r.outcome = 'accepted'
       UNION SELECT w.n, NULL, w.id, NULL FROM unnest($6::int[], $7::bigint[]) w(n, id)
         JOIN issuance i ON i.id = w.id AND i.environment = $1
       UNION SELECT w.n, p.id, p.issuance_id, p.completion_id FROM unnest($8::int[], $9::uuid[], $10::int[]) w(n, run, row)
         JOIN erased_person p ON p.run_id = w.run AND p.row_number = w.row AND p.environment = $1),
     erased AS (
       SELECT f.n, f.person, e.issuance_id, f.completion_id, coalesce(e.erasure_id, p.erasure_id, c.erasure_id) AS erasure_id FROM found f
       LEFT JOIN erased_issuance e ON e.issuance_id = f.issuance_id AND e.released_at IS NULL
       LEFT JOIN erased_person p ON p.id = f.person LEFT JOIN erased_completion c ON c.completion_id = f.completion_id)
     SELECT n, ARRAY(SELECT DISTINCT unnest(array_agg(issuance_id))::int) AS ids, ARRAY(SELECT DISTINCT unnest(array_agg(completion_id))::int) AS completions,
            ARRAY(SELECT DISTINCT unnest(array_agg(person))::int) AS people, to_char(max(x.requested_at) AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS day
     FROM erased JOIN erasure x ON x.id = erased.erasure_id GROUP BY n`,
    [
      environment,
      hashes.map(({ n }) => n),
      hashes.map(({ hash }) => hash),
      learners.map(({ n }) => n),
      learners.map(({ hash }) => hash),
      ids.map(({ n }) => n),
      ids.map(({ issuance }) => issuance),
      ...[named.map(({ n }) => n), named.map(({ run }) => run), named.map(({ row }) => row)],
    ],
  )
  const found: Earlier[] = []
  const present = (values: readonly (number | null)[]) => values.filter((value) => value !== null)
  for (const { n, day, ...row } of rows)
    found[n] = { ids: present(row.ids), completions: present(row.completions), people: present(row.people), day }
  return found
}
