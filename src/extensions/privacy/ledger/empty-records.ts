// Empties what the ledger holds of forgotten people: the data go, the rows stay, with their ids, states, dates, rules
// and names of fields. Each call takes a limited number, so that its transaction is short. Writes to the database
// within the caller's transaction.

import type { Hasher } from '#src/domain/credential/identity-hasher.ts'
import { emptyCompletions, endDeliveries } from '#src/extensions/lms/ledger/forget-learners.ts'
import type { Sql } from '#src/platform/database/database.ts'
import { eachOf } from '#src/platform/database/index-lookups.ts'

const chunk = 500

/** How long an erasure waits for a learning system to take the outcome, from the time when that is known. */
const deliveryWait = `interval '7 days'`

const isUnderWay = `i.state IN ('sending', 'unconfirmed', 'requested', 'in_progress')`
// A revocation that was refused, or that the report proves not applied, is not waited for: nothing more happens to it.
const isToBeRevoked = `(x.revokes AND i.state = 'issued' AND NOT EXISTS (
  SELECT FROM revocation r WHERE r.issuance_id = i.id AND r.state IN ('refused', 'not_applied') AND r.wanted_at >= x.requested_at
    AND NOT EXISTS (SELECT FROM revocation o WHERE o.issuance_id = i.id AND o.id > r.id)))`
const isDeliveryLeft = `EXISTS (SELECT FROM delivery d WHERE d.issuance_id = i.id
  AND (d.state = 'pending' OR (x.revokes AND i.state = 'revoked' AND d.wanted <> 'revoked' AND NOT d.gone AND d.state <> 'failed')))`
// What is to be delivered of a credential is recorded when the results of its run are written, and can be recorded only
// while its completion still names the learner. Rows of files name none, but those of corrections may. There are few
// such runs, and they are read once for all issuances.
const mayNameLearners = `(starts_with(run.source_path, 'completions:') OR run.corrects IS NOT NULL)`
const unwrittenRuns = `ARRAY(SELECT id FROM run WHERE settled_at IS NULL AND ${mayNameLearners}
  UNION ALL SELECT run.id FROM write_back w JOIN run ON run.id = w.run_id WHERE w.written < w.wanted AND ${mayNameLearners})`
const isDeliveryToCome = `(i.state IN ('issued', 'revoked') AND ${unwrittenRuns} <> '{}'
  AND EXISTS (SELECT FROM run_row r WHERE r.issuance_id = i.id AND r.run_id = ANY(${unwrittenRuns})))`
const isToBeTold = `(greatest(x.requested_at, i.state_since) > clock_timestamp() - ${deliveryWait} AND (${isDeliveryLeft} OR ${isDeliveryToCome}))`

/** SQL: what issuance `i` of erasure `x` waits for; null if its data can be emptied. */
export const waitsForSql = `CASE
  WHEN i.state = 'held' THEN 'a decision' WHEN i.state = 'pending' THEN 'its withdrawal' WHEN ${isUnderWay} THEN 'its call'
  WHEN ${isToBeRevoked} THEN 'its revocation' WHEN ${isToBeTold} THEN 'a learning system' END`

/**
 * SQL: the issuances of erasure $1 that wait for nothing. As an array, because the planner would rather read them all.
 */
const issuancesToEmpty = `FROM erasure x JOIN issuance i ON i.id = ANY(ARRAY(
    SELECT issuance_id FROM erased_issuance WHERE erasure_id = $1 AND emptied_at IS NULL))
  WHERE x.id = $1 AND ${waitsForSql} IS NULL`

/** What a line of the history keeps of its evidence: ids, states, dates, codes and names of fields. */
const keptEvidence = [
  ...['as', 'at', 'attempt', 'batch', 'by', 'cap', 'code', 'corrects', 'credential', 'erasure', 'fields', 'item'],
  ...['label', 'looks', 'outcome', 'requestDate', 'revocation', 'row', 'run', 'status', 'system'],
]
/** What an invalid row keeps of each problem. */
const keptViolation = ['row', 'column', 'field', 'rule', 'known', 'person']

/** SQL: the JSON object `object` with only the keys of the list. */
const onlyKeys = (object: string, keys: readonly string[]) =>
  `(SELECT coalesce(jsonb_object_agg(key, value), '{}') FROM jsonb_each(${object}) WHERE key IN (${keys.map((key) => `'${key}'`).join(', ')}))`

/** SQL: what is kept of the problems of an invalid row; null if there are none. */
export const keptOfViolations = (violations: string) =>
  `(SELECT jsonb_agg(${onlyKeys('v', keptViolation)} || '{"value": "", "sentence": ""}') FROM jsonb_array_elements(${violations}) v)`

/** Empties the next records of an erasure that wait for nothing. @returns how many */
export async function emptyRecords(sql: Sql, erasureId: string, hasher: Hasher): Promise<number> {
  const issuances = await emptyIssuances(sql, erasureId)
  const rows = await emptyRows(sql, erasureId)
  const completions = await emptyCompletions(sql, await completionsToEmpty(sql, erasureId), { hasher })
  await sql.query(`UPDATE erased_completion SET emptied_at = clock_timestamp() WHERE completion_id = ${eachOf('$1')}`, [
    completions,
  ])
  return issuances + rows + completions.length
}

/**
 * Empties the next issuances, with the rows that led to them or repeated them. A row that was skipped with other data
 * may be somebody else's, and is a record of its own; only its difference no longer matters, because nothing will be
 * corrected any more. So a list that had expired except for this row is to be looked at again.
 */
export async function emptyIssuances(sql: Sql, erasureId: string): Promise<number> {
  const { rows } = await sql.query<{ id: number; isRequested: boolean }>(
    `SELECT i.id, x.kind = 'request' AS "isRequested" ${issuancesToEmpty} ORDER BY i.id LIMIT ${chunk} FOR NO KEY UPDATE OF i`,
    [erasureId],
  )
  const ids = rows.map(({ id }) => id)
  if (ids.length === 0) return 0
  const isRequested = rows[0]?.isRequested
  const each = eachOf('$1')
  await emptyWordsOfBatches(sql, ids)
  await sql.query(
    `UPDATE run_row SET cells = '[]', raw = NULL, violations = NULL, image_sha256 = NULL, reason = NULL, forgotten_at = CASE WHEN $2 THEN clock_timestamp() END,
       change_over = change_over OR changed_fields IS NOT NULL
     WHERE issuance_id = ${each} AND forgotten_at IS NULL AND (changed_fields IS NULL OR NOT $2)`,
    [ids, isRequested],
  )
  await sql.query(
    `WITH over AS (UPDATE run_row SET change_over = true WHERE issuance_id = ${each} AND NOT change_over AND changed_fields IS NOT NULL RETURNING run_id)
     UPDATE run SET expired_at = NULL WHERE id = ANY(ARRAY(SELECT run_id FROM over)) AND expired_at IS NOT NULL`,
    [ids],
  )
  await sql.query(
    `UPDATE issuance SET recipient = NULL, image_sha256 = NULL, archive_due_at = NULL,
       reason = CASE WHEN $2 THEN 'forgotten on ' || to_char(clock_timestamp() AT TIME ZONE 'UTC', 'YYYY-MM-DD') END,
       evidence = CASE WHEN evidence IS NOT NULL THEN ${onlyKeys('evidence', keptEvidence)} END WHERE id = ${each}`,
    [ids, isRequested],
  )
  // Before the history: a call that ends now writes there what it has written here.
  await sql.query(
    `UPDATE revocation SET correction = NULL, why = '', correction_why = CASE WHEN correction_why IS NOT NULL THEN '' END, words = NULL WHERE issuance_id = ${each}`,
    [ids],
  )
  await sql.query(
    `UPDATE history SET evidence = ${onlyKeys('evidence', keptEvidence)}
     WHERE issuance_id = ${each} AND evidence <> ${onlyKeys('evidence', keptEvidence)}`,
    [ids],
  )
  await sql.query(
    `UPDATE archived_certificate SET problem = NULL WHERE issuance_id = ${each} AND problem IS NOT NULL`,
    [ids],
  )
  await endDeliveries(sql, ids)
  await sql.query(`UPDATE erased_issuance SET emptied_at = clock_timestamp() WHERE issuance_id = ${each}`, [ids])
  return ids.length
}

/**
 * Deletes what the service wrote about the batches of these people; what credsync wrote about a dropped batch stays.
 * The others keep their copies in the history, unless these quote one of the people.
 */
async function emptyWordsOfBatches(sql: Sql, ids: readonly number[]): Promise<void> {
  const each = eachOf('$1')
  await sql.query(
    `UPDATE history h SET evidence = h.evidence - 'words'
     FROM attempt_item item JOIN attempt ON attempt.id = item.attempt_id
     WHERE item.attempt_id IN (
         SELECT own.attempt_id FROM attempt_item own JOIN attempt a ON a.id = own.attempt_id JOIN issuance i ON i.id = own.issuance_id
         CROSS JOIN LATERAL jsonb_each_text(i.recipient) f
         WHERE own.issuance_id = ${each} AND f.key <> 'Primary Value' AND length(f.value) > 2 AND strpos(lower(a.words), lower(f.value)) > 0)
       AND h.issuance_id = item.issuance_id AND h.attempt_id = item.attempt_id AND h.evidence->>'words' = attempt.words`,
    [ids],
  )
  await sql.query(
    `UPDATE attempt SET words = NULL WHERE words IS NOT NULL AND phase = 'ended' AND id IN (SELECT attempt_id FROM attempt_item WHERE issuance_id = ${each})`,
    [ids],
  )
}

const otherLearner = 'another learner has the same identity'
const sentence = `'This identity belongs to somebody who was forgotten (i' || known || '), and the completion to another learner. No credential was issued. Give the learner a separate address in ' || system || ', or have the pipeline identify people by more fields (its setting identity).'`

/**
 * Removes the learner numbers of the people from what is recorded of others who have the same address. Called before
 * anything else is emptied, because it finds them by their rows and their history.
 */
export async function emptyMentionedLearners(sql: Sql, erasureId: string): Promise<void> {
  await sql.query(
    `UPDATE history h SET evidence = h.evidence - 'other'
     FROM erased_completion e JOIN completion c ON c.id = e.completion_id JOIN run_row r ON r.run_id = c.run_id AND r.row_number = c.row_number
     CROSS JOIN LATERAL jsonb_array_elements(r.violations) v
     WHERE e.erasure_id = $1 AND v->>'rule' = 'other_learner' AND h.issuance_id = coalesce(v->>'known', substring(v->>'sentence' FROM '\\(i(\\d+)\\)'))::bigint
       AND h.event = '${otherLearner}' AND h.evidence->>'system' = c.system AND h.evidence->>'other' = c.learner`,
    [erasureId],
  )
  await sql.query(
    `UPDATE run_row r SET violations = (
       SELECT jsonb_agg(CASE WHEN v->>'rule' = 'other_learner' THEN v || jsonb_build_object('sentence', ${sentence}) ELSE v END) FROM jsonb_array_elements(r.violations) v)
     FROM (
       SELECT DISTINCT ON (c.run_id, c.row_number) c.run_id, c.row_number, e.issuance_id AS known, c.system
       FROM erased_issuance e JOIN issuance i ON i.id = e.issuance_id JOIN history h ON h.issuance_id = e.issuance_id AND h.event = '${otherLearner}'
       JOIN completion c ON c.environment = i.environment AND c.system = h.evidence->>'system' AND c.learner = h.evidence->>'other'
       WHERE e.erasure_id = $1 ORDER BY 1, 2, 3) m
     WHERE r.run_id = m.run_id AND r.row_number = m.row_number AND r.outcome = 'invalid' AND r.forgotten_at IS NULL
       AND EXISTS (SELECT FROM jsonb_array_elements(r.violations) v WHERE v->>'rule' = 'other_learner' AND v->>'sentence' ~ ('\\mi' || m.known || '\\M'))`,
    [erasureId],
  )
}

/** Empties rows of their own. They keep the rule and the field of each problem. @returns how many */
async function emptyRows(sql: Sql, erasureId: string): Promise<number> {
  const { rowCount } = await sql.query(
    `WITH next AS (
       UPDATE erased_row e SET emptied_at = clock_timestamp()
       FROM (SELECT run_id, row_number FROM erased_row WHERE erasure_id = $1 AND emptied_at IS NULL ORDER BY 1, 2 LIMIT ${chunk} FOR UPDATE) n
       WHERE e.run_id = n.run_id AND e.row_number = n.row_number RETURNING e.run_id, e.row_number)
     UPDATE run_row r SET cells = '[]', raw = NULL, image_sha256 = NULL, reason = NULL, forgotten_at = coalesce(forgotten_at, clock_timestamp()),
       violations = ${keptOfViolations('r.violations')}, change_over = r.change_over OR r.changed_fields IS NOT NULL
     FROM next n WHERE r.run_id = n.run_id AND r.row_number = n.row_number`,
    [erasureId],
  )
  return rowCount
}

/**
 * The next completions to empty: those that led to no issuance whose data are still needed, for example to tell the
 * learning system of it, and that are in no list which is not read yet.
 */
async function completionsToEmpty(sql: Sql, erasureId: string): Promise<number[]> {
  const { rows } = await sql.query<{ id: number }>(
    `SELECT c.id FROM erased_completion e JOIN completion c ON c.id = e.completion_id
     LEFT JOIN run_row r ON r.run_id = c.run_id AND r.row_number = c.row_number
     WHERE e.erasure_id = $1 AND e.emptied_at IS NULL
       AND NOT EXISTS (SELECT FROM erased_issuance o WHERE o.issuance_id = r.issuance_id AND o.emptied_at IS NULL)
       AND (SELECT run.state FROM run WHERE run.id = c.run_id) IS DISTINCT FROM 'received'
     ORDER BY c.id LIMIT ${chunk}`,
    [erasureId],
  )
  return rows.map(({ id }) => id)
}

/** Whether something of an erasure waits for nothing. */
export async function isAnythingToEmpty(sql: Sql, erasureId: string): Promise<boolean> {
  const { rowCount } = await sql.query(
    `SELECT 1 ${issuancesToEmpty} UNION ALL SELECT 1 FROM erased_row WHERE erasure_id = $1 AND emptied_at IS NULL LIMIT 1`,
    [erasureId],
  )
  return rowCount > 0 || (await completionsToEmpty(sql, erasureId)).length > 0
}
