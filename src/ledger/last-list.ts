// Who was on the list before and is not on this one. It is only said: whether a list is meant to be full, nobody here can know.

import type { Sql } from '#src/database/database.ts'
import { completionsPath } from './completions.ts'

// Invalid rows that come back mended are a part of a list, and completions are told one by one: neither says who is gone.
const isList = (run: string) =>
  `${run}.source_name !~* '\\.invalid\\.(csv|xlsx)$' AND ${run}.source_path NOT LIKE '${completionsPath('%')}'`

/**
 * Notes which list of the pipeline came before this one for its course, and how many people of it the run does not name. Adoptions and corrections are no lists. Of an invalid row nobody can
 * tell whom it names. Files of an inbox are compared with such files, and files that `issue` was given with those.
 */
export async function compareWithLastList(sql: Sql, runId: string, course: string): Promise<void> {
  // EXCEPT hashes both lists. With NOT EXISTS the planner, who has no figures of the rows just written yet, walks one for each row of the other.
  await sql.query(
    `UPDATE run SET last_list = last.id,
       gone = (SELECT count(*) FROM (SELECT issuance_id FROM run_row WHERE run_id = last.id AND issuance_id IS NOT NULL
                                     EXCEPT SELECT issuance_id FROM run_row WHERE run_id = $1) missing
               -- Who was corrected since is on this list as the one that took the place.
               WHERE NOT EXISTS (
                 WITH RECURSIVE later AS (
                   SELECT id FROM issuance WHERE corrects = missing.issuance_id
                   UNION ALL SELECT next.id FROM later JOIN issuance next ON next.corrects = later.id)
                 SELECT FROM later JOIN run_row again ON again.run_id = $1 AND again.issuance_id = later.id))
     FROM (SELECT other.id FROM run this JOIN run other ON other.environment = this.environment AND other.pipeline = this.pipeline AND other.inbox = this.inbox
           -- Not the one that was read last: after a restart an older list may be read behind a newer one.
           WHERE this.id = $1 AND other.received_at < this.received_at AND other.course_uuid = $2 AND other.state = 'published' AND other.adopts IS NULL AND other.corrects IS NULL
             AND ${isList('this')} AND ${isList('other')}
           ORDER BY other.received_at DESC, other.id LIMIT 1) last
     WHERE run.id = $1`,
    [runId, course],
  )
}
