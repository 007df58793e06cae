// What a probe found out about a course, with its date. One for each course: a new one replaces it, but for what it could not find out.

import type { Sql } from '#src/database/database.ts'

/** Something that was found, or why it could not be. */
export type Finding<T> = { found: T } | { undetermined: string }

export interface Duplicates {
  verdict: 'issued twice' | 'refused' | 'ignored'
  /** The service's words, masked; empty when it said nothing. */
  words: string
}

export interface Echo {
  /** Display name of the field that was sent. */
  field: string
  /** The report's key under which its value came back. */
  key: string
  /** `folded`: the same but for case and white space. */
  match: 'exact' | 'folded'
  /** Whether a search by the key finds the item, and one for a value that nobody has finds none; null when it was not tried. */
  searchable: boolean | null
}

export type SpellingVerdict = 'filters' | 'is ignored' | 'finds nothing' | 'is refused'

export interface Findings {
  duplicates: Finding<Duplicates>
  echoes: Finding<Echo[]>
  spellings: Finding<{ search: SpellingVerdict; _search: SpellingVerdict }>
  /** The longest of the times measured, from the answer of an invitation to the first page of the report that showed it. */
  lag: Finding<{ ms: number }>
  /**
   * The largest page. `rows`: a full page of them came, or fewer than asked although more match. `pager`: there were not enough rows,
   * and only the pager's word is known. `capped`: more was asked for and not given.
   */
  page: Finding<{ largest: number; seenBy: 'rows' | 'pager'; capped: boolean }>
  badRecipient: Finding<{
    verdict: 'all refused' | 'good taken' | 'all taken' | 'part taken' | 'all dropped'
    /** What the bad one broke, such as `First Name is empty`. */
    broke: string
    words: string
  }>
}

export interface Probe {
  environment: string
  probedAt: Date
  findings: Findings
}

/** What was found before and could not be found this time stays: a report that was too slow today is no reason to forget its lag. */
export async function keepProbe(sql: Sql, environment: string, courseUuid: string, findings: Findings): Promise<Date> {
  const { rows } = await sql.query<{ at: Date }>(
    `INSERT INTO course_probe (environment, course_uuid, findings) VALUES ($1, $2, $3::jsonb)
     ON CONFLICT (environment, course_uuid) DO UPDATE SET probed_at = clock_timestamp(), findings = course_probe.findings || $4::jsonb
     RETURNING probed_at AS at`,
    [environment, courseUuid, JSON.stringify(findings), JSON.stringify(onlyFound(findings))],
  )
  return rows[0]?.at as Date
}

function onlyFound(findings: Findings): Partial<Findings> {
  return Object.fromEntries(Object.entries(findings).filter(([, finding]) => 'found' in finding))
}

export async function probeOf(sql: Sql, environment: string, courseUuid: string): Promise<Probe | null> {
  const { rows } = await sql.query<Probe>(
    'SELECT environment, probed_at AS "probedAt", findings FROM course_probe WHERE environment = $1 AND course_uuid = $2',
    [environment, courseUuid],
  )
  return rows[0] ?? null
}
