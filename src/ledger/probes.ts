// Stores the results of probing a course, with the date. Each course has one result. A new probe replaces it, except
// for findings that the new probe could not determine.

import type { Sql } from '#src/platform/database/database.ts'

/** A finding, or why it could not be determined. */
export type ProbeFinding<T> = { found: T } | { undetermined: string }

export interface Duplicates {
  verdict: 'issued twice' | 'refused' | 'ignored'
  /** The service's message, masked; empty if it gave none. */
  words: string
}

export interface Echo {
  /** Display name of the field that was sent. */
  field: string
  /** The key under which the report returned the value. */
  key: string
  /** `folded`: equal except for case and white space. */
  match: 'exact' | 'folded'
  /**
   * Whether a search by the key finds the item, while a search for a value that nobody has finds nothing; null if this
   * was not tried.
   */
  searchable: boolean | null
}

export interface Findings {
  duplicates: ProbeFinding<Duplicates>
  echoes: ProbeFinding<Echo[]>
  /** The longest measured time between the response to an invitation and the first report page that showed it. */
  lag: ProbeFinding<{ ms: number }>
}

export interface Probe {
  probedAt: Date
  findings: Findings
}

export function probeStore(db: Sql, environment: string) {
  return {
    /**
     * Stores the findings of a probe. An earlier finding stays if this probe could not determine it: a report that was
     * too slow today does not invalidate the lag that was measured earlier.
     */
    async keep(courseUuid: string, findings: Findings): Promise<Date> {
      const { rows } = await db.query<{ at: Date }>(
        `INSERT INTO course_probe (environment, course_uuid, findings) VALUES ($1, $2, $3::jsonb)
         ON CONFLICT (environment, course_uuid) DO UPDATE SET probed_at = clock_timestamp(), findings = course_probe.findings || $4::jsonb
         RETURNING probed_at AS at`,
        [environment, courseUuid, JSON.stringify(findings), JSON.stringify(onlyFound(findings))],
      )
      return rows[0]?.at as Date
    },
    async find(courseUuid: string): Promise<Probe | null> {
      const { rows } = await db.query<Probe>(
        'SELECT probed_at AS "probedAt", findings FROM course_probe WHERE environment = $1 AND course_uuid = $2',
        [environment, courseUuid],
      )
      return rows[0] ?? null
    },
  }
}

function onlyFound(findings: Findings): Partial<Findings> {
  return Object.fromEntries(Object.entries(findings).filter(([, finding]) => 'found' in finding))
}
