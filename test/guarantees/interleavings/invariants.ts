// Invariants of a ledger after any two verbs, in whatever order their statements ran.

import type { Database } from '#src/platform/database/database.ts'

/** Each query returns the violations as `what`. */
export const invariants: Readonly<Record<string, string>> = {
  'an open item of a batch has a row in the same phase as the batch': `
    SELECT 'i' || i.id || ' ' || i.state || ' in attempt ' || a.id || ' ' || a.phase AS what
    FROM issuance i JOIN attempt a ON a.id = i.open_attempt
    WHERE NOT (a.phase = 'prepared' AND i.state = 'pending' AND i.due_at = 'infinity'
      OR a.phase = 'sending' AND i.state = 'sending' AND i.attempt_id = a.id
      OR a.phase = 'ended' AND i.state = 'unconfirmed' AND i.attempt_id = a.id)`,
  'a row that is prepared, sent or unconfirmed is in a batch': `
    SELECT 'i' || i.id || ' ' || i.state AS what FROM issuance i
    WHERE (i.state IN ('sending', 'unconfirmed') OR i.state = 'pending' AND i.due_at = 'infinity'
        -- Until it is withdrawn.
        AND NOT EXISTS (SELECT FROM erased_issuance e WHERE e.issuance_id = i.id))
      AND NOT EXISTS (SELECT FROM attempt_item t JOIN attempt a ON a.id = t.attempt_id WHERE t.issuance_id = i.id AND a.id = i.open_attempt
        AND a.phase = CASE i.state WHEN 'pending' THEN 'prepared' WHEN 'sending' THEN 'sending' ELSE 'ended' END)`,
  'a prepared batch is complete, and a batch being sent has a deadline': `
    SELECT 'attempt ' || a.id || ' ' || a.phase AS what FROM attempt a
    WHERE a.phase = 'prepared' AND a.size <> (SELECT count(*) FROM attempt_item t JOIN issuance i ON i.id = t.issuance_id WHERE t.attempt_id = a.id AND i.open_attempt = a.id)
      OR a.phase = 'sending' AND a.deadline_at IS NULL`,
  'each history line begins in the state where the previous one ended, and the last ends in the current state': `
    SELECT 'i' || i.id || ' ' || i.state AS what FROM issuance i JOIN (
      SELECT h.issuance_id, bool_and(h.from_state IS NOT DISTINCT FROM h.before) AS whole, (array_agg(h.to_state ORDER BY h.id DESC))[1] AS last
      FROM (SELECT *, lag(to_state) OVER (PARTITION BY issuance_id ORDER BY id) AS before FROM history WHERE to_state IS NOT NULL) h
      GROUP BY h.issuance_id) steps ON steps.issuance_id = i.id WHERE NOT steps.whole OR steps.last <> i.state`,
  'a report item belongs to at most one row': `
    SELECT s.item_key || ': claimed, and counted beside a row' AS what FROM surplus_item s JOIN report_claim c ON c.environment = s.environment AND c.item_key = s.item_key
    UNION ALL SELECT entity_uuid || ' of ' || count(*) FROM issuance WHERE entity_uuid IS NOT NULL GROUP BY entity_uuid HAVING count(*) > 1`,
  'the results of a settled run are requested': `
    SELECT 'run ' || run.source_name AS what FROM run WHERE state = 'published' AND settled_at IS NOT NULL AND adopts IS NULL
      AND NOT EXISTS (SELECT FROM write_back w WHERE w.run_id = run.id)`,
  'a course that is paused after trouble has no prepared batch': `
    SELECT 'attempt ' || a.id AS what FROM attempt a JOIN course c USING (environment, course_uuid)
    WHERE a.phase = 'prepared' AND c.canary_since > '-infinity' AND c.paused_until > clock_timestamp()`,
  'each call has one history line for each of its rows': `
    SELECT 'attempt ' || a.id || ' ' || a.phase AS what FROM attempt a
    WHERE (CASE WHEN a.phase IN ('sending', 'ended') THEN a.size ELSE 0 END)
      <> (SELECT count(*) FROM history h WHERE h.attempt_id = a.id AND h.to_state = 'sending')`,
  'a settled run has no open row': `
    SELECT 'run ' || run.source_name || ', i' || i.id || ' ' || i.state AS what FROM run JOIN issuance i ON i.run_id = run.id
    WHERE run.settled_at IS NOT NULL AND i.state IN ('pending', 'sending', 'unconfirmed', 'requested', 'in_progress')`,
  'the counts of a run add up': `
    SELECT 'run ' || run.source_name AS what FROM run WHERE rows <> invalid + skipped + accepted
      OR accepted <> (SELECT count(*) FROM issuance i WHERE i.run_id = run.id)
      OR state = 'published' AND rows <> (SELECT count(*) FROM run_row r WHERE r.run_id = run.id)
      OR state <> 'published' AND EXISTS (SELECT FROM run_row r WHERE r.run_id = run.id)`,
  'the kept counts of a run are those of its rows': `
    SELECT 'run ' || coalesce(c.run_id, i.run_id) || ' ' || coalesce(c.state, i.state) AS what
    FROM (SELECT run_id, state, sum(rows) AS rows, sum(surplus) AS surplus FROM run_count GROUP BY run_id, state) c
    FULL JOIN (SELECT run_id, state, count(*) AS rows, sum(surplus_items) AS surplus FROM issuance GROUP BY run_id, state) i
      ON i.run_id = c.run_id AND i.state = c.state
    WHERE (coalesce(c.rows, 0), coalesce(c.surplus, 0)) <> (coalesce(i.rows, 0), coalesce(i.surplus, 0))`,
  'staged rows belong to a received run': `
    SELECT DISTINCT 'run ' || run.source_name || ' ' || run.state AS what FROM staged_row s JOIN run ON run.id = s.run_id WHERE run.state <> 'received'`,
  'a row with a state from the report has claimed an item': `
    SELECT 'i' || i.id || ' ' || i.state AS what FROM issuance i
    WHERE i.state IN ('in_progress', 'issued', 'rejected', 'revoked') AND NOT EXISTS (SELECT FROM report_claim c WHERE c.issuance_id = i.id)`,
  'a pending row has no data from the report and has claimed no item': `
    SELECT 'i' || i.id AS what FROM issuance i WHERE i.state = 'pending'
      AND (i.entity_uuid IS NOT NULL OR i.credential_id IS NOT NULL OR EXISTS (SELECT FROM report_claim c WHERE c.issuance_id = i.id))`,
  'surplus items counted for a row are recorded': `
    SELECT 'i' || i.id AS what FROM issuance i
    WHERE i.surplus_items > (SELECT count(*) FROM surplus_item s WHERE s.issuance_id = i.id)`,
  'a correction is carried out once, after the revocation, and a revocation being sent has a deadline': `
    SELECT 'revocation ' || r.id || ' ' || r.state AS what FROM revocation r
    WHERE r.corrected_as IS NOT NULL AND (r.correction IS NOT NULL OR r.state NOT IN ('accepted', 'seen'))
       OR r.state = 'sending' AND r.deadline_at IS NULL`,
  'the end of a summary is noted at its list': `
    SELECT n.key AS what FROM notice n JOIN run r ON r.id = (n.facts->>'run')::uuid
    WHERE n.kind = 'summary' AND (n.recovered_at IS NULL) <> (r.summarized_at IS NULL)`,
  'a message about notices contains a change for its recipient': `
    SELECT m.recipient AS what FROM notice_message m
    WHERE NOT EXISTS (SELECT FROM notice_change c WHERE c.message_id = m.id AND c.recipient = m.recipient)`,
  'what nobody has read yet of a notice has its facts, and is its end if it is over': `
    SELECT n.key || ': ' || c.change AS what FROM notice_change c JOIN notice n ON n.id = c.notice_id
    WHERE c.message_id IS NULL AND c.facts->>'about' <> 'refusal' AND (c.facts <> n.facts OR (c.change IN ('opened', 'reminded')) <> (n.recovered_at IS NULL))`,
  'a difference that is over was ended by something': `
    SELECT 'i' || i.id AS what FROM run_row r JOIN run ON run.id = r.run_id JOIN issuance i ON i.id = r.issuance_id
    WHERE r.change_over AND r.run_id <> i.run_id AND NOT EXISTS (SELECT FROM issuance n WHERE n.corrects = i.id)
      AND NOT EXISTS (SELECT FROM history h WHERE h.issuance_id = i.id AND h.to_state = 'pending' AND h.evidence ? 'fields' AND h.at > run.published_at)
      AND NOT EXISTS (SELECT FROM run_row l JOIN run x ON x.id = l.run_id WHERE l.issuance_id = i.id AND x.published_at > run.published_at)`,
  'a difference that a later list no longer shows is over once both lists were compared': `
    SELECT 'i' || r.issuance_id AS what FROM run_row r JOIN run ON run.id = r.run_id JOIN run_row l ON l.issuance_id = r.issuance_id JOIN run x ON x.id = l.run_id
    WHERE r.changed_fields IS NOT NULL AND NOT r.change_over AND l.changed_fields IS NULL AND x.published_at > run.published_at
      AND run.changes_compared AND x.changes_compared`,
  'a completion that was emptied keeps nothing of its learner, and is in no run that is still read': `
    SELECT 'completion ' || c.id AS what FROM erased_completion e JOIN completion c ON c.id = e.completion_id LEFT JOIN run ON run.id = c.run_id
    WHERE e.emptied_at IS NOT NULL AND (c.cells <> '{}' OR NOT starts_with(c.learner, 'forgotten:') OR c.state = 'ready' OR run.state <> 'published')`,
  'an issuance that is forgotten leaves something by which lists recognize its person, unless that is released': `
    SELECT 'i' || e.issuance_id AS what FROM erased_issuance e
    WHERE e.released_at IS NULL AND NOT EXISTS (SELECT FROM erased_person p WHERE p.issuance_id = e.issuance_id AND p.erasure_id = e.erasure_id)`,
  'an issuance that was emptied keeps no data, and neither do its rows': `
    SELECT 'i' || i.id AS what FROM erased_issuance e JOIN issuance i ON i.id = e.issuance_id
    WHERE e.emptied_at IS NOT NULL AND (i.recipient IS NOT NULL OR EXISTS (SELECT FROM run_row r WHERE r.issuance_id = i.id AND r.run_id = i.run_id AND r.cells <> '[]'))`,
  'a verified delivery has the time of its verification': `
    SELECT 'delivery ' || t.id AS what FROM delivery t WHERE t.state = 'verified' AND t.verified_at IS NULL`,
}

/** @returns a query for all violations with their invariant; it calls a function, so that it is planned once */
export async function openInvariants(database: Database): Promise<() => Promise<string[]>> {
  const parts = Object.entries(invariants).map(
    ([invariant, sql]) => `SELECT '${invariant}: ' || what FROM (${sql}) broken`,
  )
  await database.query(
    `CREATE FUNCTION kept.broken() RETURNS TABLE (found text) LANGUAGE plpgsql AS $$ BEGIN RETURN QUERY ${parts.join(' UNION ALL ')}; END $$`,
  )
  return async () => {
    const { rows } = await database.query<{ found: string }>('SELECT found FROM kept.broken()')
    return rows.map(({ found }) => found)
  }
}
