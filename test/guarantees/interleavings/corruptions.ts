// Statements that corrupt the scene, by the invariant that must detect each. An invariant that detects nothing would
// prove nothing.

export const corruptions: Readonly<Record<string, string>> = {
  'an open item of a batch has a row in the same phase as the batch': `UPDATE attempt SET phase = 'dropped' WHERE phase = 'prepared'`,
  'a row that is prepared, sent or unconfirmed is in a batch': `UPDATE issuance SET due_at = 'infinity' WHERE state = 'pending'`,
  'a prepared batch is complete, and a batch being sent has a deadline': `UPDATE attempt SET size = 9 WHERE phase = 'prepared'`,
  'each history line begins in the state where the previous one ended, and the last ends in the current state': `DELETE FROM history WHERE to_state = 'sending'`,
  'a report item belongs to at most one row': `UPDATE issuance SET entity_uuid = 'item-2' WHERE credential_id = 'C-3'`,
  'the results of a settled run are requested': `UPDATE run SET settled_at = clock_timestamp() WHERE state = 'published'`,
  'a course that is paused after trouble has no prepared batch': `
    INSERT INTO course (environment, course_uuid, canary_since, paused_until)
    SELECT environment, course_uuid, clock_timestamp(), 'infinity' FROM attempt WHERE phase = 'prepared'`,
  'each call has one history line for each of its rows': `UPDATE attempt SET size = 9 WHERE phase = 'sending'`,
  'a settled run has no open row': `UPDATE run SET settled_at = clock_timestamp() WHERE state = 'published'`,
  'the counts of a run add up': `UPDATE run SET rows = rows + 1, accepted = accepted + 1 WHERE state = 'published'`,
  'the kept counts of a run are those of its rows': `UPDATE run_count SET rows = rows + 1 WHERE state = 'pending'`,
  'staged rows belong to a received run': `UPDATE run SET state = 'refused' WHERE state = 'received'`,
  'a row with a state from the report has claimed an item': 'DELETE FROM report_claim',
  'a pending row has no data from the report and has claimed no item': `UPDATE issuance SET credential_id = 'C-1' WHERE state = 'pending'`,
  'surplus items counted for a row are recorded': 'UPDATE issuance SET surplus_items = 5',
  'a correction is carried out once, after the revocation, and a revocation being sent has a deadline':
    'UPDATE revocation SET corrected_as = id WHERE correction IS NOT NULL',
  'the end of a summary is noted at its list': `UPDATE notice SET recovered_at = clock_timestamp() WHERE kind = 'summary'`,
  'a message about notices contains a change for its recipient': 'DELETE FROM notice_change',
  'what nobody has read yet of a notice has its facts, and is its end if it is over': `UPDATE notice SET recovered_at = clock_timestamp() WHERE kind = 'missing'`,
  'a difference that is over was ended by something': `
    INSERT INTO run_row (run_id, row_number, outcome, cells, issuance_id, changed_fields, change_over)
    SELECT run.id, 1000 + i.id, 'skipped', '[]', i.id, '["Grade"]', true FROM run JOIN issuance i ON i.run_id <> run.id WHERE run.state = 'published'`,
  'a difference that a later list no longer shows is over once both lists were compared': `
    WITH compared AS (UPDATE run SET changes_compared = true)
    INSERT INTO run_row (run_id, row_number, outcome, cells, issuance_id, changed_fields)
    SELECT run.id, 1000 + i.id, 'skipped', '[]', i.id, CASE WHEN run.published_at < (SELECT max(published_at) FROM run) THEN '["Grade"]'::jsonb END
    FROM run JOIN issuance i ON i.run_id <> run.id WHERE run.state = 'published'`,
  'a completion that was emptied keeps nothing of its learner, and is in no run that is still read': `
    INSERT INTO erased_completion (completion_id, erasure_id, emptied_at) SELECT id, gen_random_uuid(), now() FROM completion`,
  'an issuance that is forgotten leaves something by which lists recognize its person, unless that is released': `
    WITH x AS (INSERT INTO erasure (environment, kind, requested_by, reason) VALUES ('development', 'request', 'ada', 'a letter') RETURNING id)
    INSERT INTO erased_issuance (issuance_id, erasure_id) SELECT i.id, x.id FROM issuance i, x`,
  'an issuance that was emptied keeps no data, and neither do its rows': `
    INSERT INTO erased_issuance (issuance_id, erasure_id, emptied_at) SELECT id, gen_random_uuid(), now() FROM issuance`,
  'a verified delivery has the time of its verification': 'UPDATE delivery SET verified_at = NULL',
}
