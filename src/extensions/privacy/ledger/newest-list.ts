// SQL that finds the newest whole list of a pipeline and course, whose people the next list probably names again. Pure:
// builds SQL and does not run it.

import { completionsPath } from '#src/ledger/runs/completions-path.ts'

/**
 * SQL: whether a run is a whole list. Adoptions and corrections are no lists, a resubmission of fixed rows is only part
 * of one, and completions arrive individually.
 */
const isWholeList = (run: string) =>
  `${run}.state = 'published' AND ${run}.adopts IS NULL AND ${run}.corrects IS NULL AND ${run}.source_name !~* '\\.invalid\\.(csv|xlsx)$'
   AND ${run}.source_path NOT LIKE '${completionsPath('%')}'`

/** SQL: whether no later list of the pipeline and course came in the same way, from an inbox or from a command. */
export const isNewestList = (run: string) =>
  `(${isWholeList(run)} AND NOT EXISTS (
     SELECT FROM run newer WHERE newer.environment = ${run}.environment AND newer.pipeline = ${run}.pipeline AND newer.inbox = ${run}.inbox
       AND newer.course_uuid = ${run}.course_uuid AND newer.received_at > ${run}.received_at AND ${isWholeList('newer')}))`
