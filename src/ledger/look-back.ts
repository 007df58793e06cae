// The verbs of the look back: what was told to a target and verified there, to be seen again at night.

import type { Database } from '#src/database/database.ts'
import { type Told, toldAgain } from './tells.ts'

/** What stood at a target when it was last looked at. */
export interface ShownTell {
  id: number
  issuanceId: number
  pipeline: string
  state: 'verified' | 'drifted'
  wanted: Told
  credentialId: string | null
  verifierLink: string | null
  /** YYYY-MM-DD. */
  issueDate: string | null
  validTill: string | null
}

/** All that one learner's profile was told, the last first: what an older one wrote may be overwritten by a newer one. */
export interface ShownLearner {
  learner: string
  tells: ShownTell[]
}

/** `again`: it is told anew. `other`: a person decides. */
export type Found = { found: 'same' } | { found: 'again' } | { found: 'other'; problem: string }

/** The night is over after so long: whoever was not looked at is first in the next one. */
const nightHours = 4

export function lookBackVerbs(db: Database, environment: string) {
  return {
    /** Learners of the target who were not looked at since its system was last asked about everybody: those of the `most` tells that were looked at longest ago. */
    due: async (system: string, target: string, most: number): Promise<ShownLearner[]> => {
      const { rows } = await db.query<ShownLearner>(
        `WITH due AS (
           SELECT DISTINCT c.learner FROM (
             SELECT i.run_id, i.row_number FROM learning_system s
             JOIN tell t ON t.target = $3 AND t.state IN ('verified', 'drifted') AND t.looked_at < s.swept_at
             JOIN issuance i ON i.id = t.issuance_id AND i.environment = $1
             WHERE s.environment = $1 AND s.system = $2 AND s.swept_at > clock_timestamp() - interval '${nightHours} hours'
             ORDER BY t.looked_at LIMIT $4) oldest
           JOIN completion c USING (run_id, row_number))
         SELECT c.learner, json_agg(json_build_object('id', t.id, 'issuanceId', i.id, 'pipeline', i.pipeline, 'state', t.state, 'wanted', t.wanted,
                  'credentialId', i.credential_id, 'verifierLink', i.verifier_link, 'issueDate', i.issue_date, 'validTill', i.valid_till)
                  ORDER BY t.verified_at DESC) AS tells
         FROM due JOIN completion c ON c.environment = $1 AND c.learner = due.learner
         JOIN issuance i ON i.run_id = c.run_id AND i.row_number = c.row_number AND i.environment = $1
         JOIN tell t ON t.issuance_id = i.id AND t.target = $3 AND t.state IN ('verified', 'drifted')
         GROUP BY c.learner`,
        [environment, system, target, most],
      )
      return rows
    },
    /** Does nothing when it is told something else by now. */
    note: async ({ id, wanted }: Pick<ShownTell, 'id' | 'wanted'>, found: Found): Promise<void> => {
      const stillThere = `id = $1 AND wanted = $2 AND state IN ('verified', 'drifted')`
      if (found.found === 'again') {
        await db.query(`UPDATE tell SET ${toldAgain} WHERE ${stillThere}`, [id, wanted])
        return
      }
      await db.query(
        `UPDATE tell SET state = $3, problem = $4, looked_at = clock_timestamp() WHERE ${stillThere}`,
        found.found === 'other' ? [id, wanted, 'drifted', found.problem] : [id, wanted, 'verified', null],
      )
    },
  }
}
