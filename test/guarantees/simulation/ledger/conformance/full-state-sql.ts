// Reads the full state of one environment of the real ledger as one JSON value. twin-side.ts does the same for the
// twin.

/** Milliseconds since 1970 without a fraction; null for a time that is not set or is infinite. */
const ms = (column: string) =>
  `CASE WHEN ${column} IN ('infinity', '-infinity') THEN NULL ELSE floor(extract(epoch FROM ${column}) * 1000)::bigint END`

const arrayOf = (object: string, from: string, order: string) =>
  `(SELECT coalesce(json_agg(json_build_object(${object}) ORDER BY ${order}), '[]') FROM ${from})`

const historyLine = `'at', ${ms('h.at')}, 'event', h.event, 'from', h.from_state, 'to', h.to_state, 'attempt', h.attempt_id, 'evidence', h.evidence`

const issuance = `'id', i.id, 'course', i.course_uuid, 'run', i.run_id, 'row', i.row_number, 'pipeline', i.pipeline, 'state', i.state,
  'since', ${ms('i.state_since')}, 'event', i.event, 'evidence', i.evidence, 'attempt', i.attempt_id, 'reason', i.reason, 'due', ${ms('i.due_at')},
  'firstSent', ${ms('i.first_sent_at')}, 'lastSent', ${ms('i.last_sent_at')}, 'resends', i.resends, 'cap', i.batch_cap, 'looks', i.looks, 'controlled', i.controlled_looks,
  'lastLook', ${ms('i.last_look_at')}, 'decided', ${ms('i.decided_at')}, 'surplus', i.surplus_items,
  'shown', json_build_object('reportStatus', i.report_status, 'entityUuid', i.entity_uuid, 'credentialId', i.credential_id,
    'verifierLink', i.verifier_link, 'issueDate', i.issue_date, 'validTill', i.valid_till, 'revokedDate', i.revoked_date),
  'claim', (SELECT json_build_object('key', c.item_key, 'fingerprint', c.fingerprint) FROM report_claim c WHERE c.issuance_id = i.id),
  'history', ${arrayOf(historyLine, 'history h WHERE h.issuance_id = i.id', 'h.id')}`

const attempt = `'id', a.id, 'course', a.course_uuid, 'pipeline', a.pipeline, 'phase', a.phase, 'size', a.size, 'asked', ${ms('a.asked_at')},
  'sending', ${ms('a.sending_at')}, 'deadline', ${ms('a.deadline_at')}, 'ended', ${ms('a.ended_at')}, 'outcome', a.outcome, 'status', a.http_status,
  'code', a.error_code, 'words', a.words, 'sha', a.request_sha256, 'instance', a.instance, 'shown', a.shown_at IS NOT NULL,
  'items', ${arrayOf(`'issuance', t.issuance_id, 'open', i.open_attempt IS NOT DISTINCT FROM a.id`, 'attempt_item t JOIN issuance i ON i.id = t.issuance_id WHERE t.attempt_id = a.id', 't.position')}`

const run = `'id', r.id, 'state', r.state, 'course', r.course_uuid, 'path', r.source_path, 'rows', r.rows, 'invalid', r.invalid, 'skipped', r.skipped,
  'accepted', r.accepted, 'known', r.known, 'changed', r.changed,
  'brake', CASE WHEN r.braked_at IS NOT NULL THEN json_build_object('accepted', r.would_accept, 'usual', r.usual, 'because', r.braked_because, 'shown', r.shown,
    'adopted', r.shown AND EXISTS (SELECT FROM course c WHERE c.environment = r.environment AND c.course_uuid = r.course_uuid AND c.first_list = 'adopted')) END,
  'approved', CASE WHEN r.approved_at IS NOT NULL THEN json_build_object('by', r.approved_by, 'why', r.approved_why) END, 'read', r.read_rows, 'refusal', r.refusal, 'results', r.results_path, 'received', ${ms('r.received_at')},
  'published', ${ms('r.published_at')}, 'settled', ${ms('r.settled_at')}, 'asked', ${ms('r.asked_at')},
  'written', (SELECT json_build_object('wanted', w.wanted, 'written', w.written, 'asked', ${ms('w.asked_at')}) FROM write_back w WHERE w.run_id = r.id)`

const course = `'course', c.course_uuid, 'name', c.certificate_name, 'limit', c.batch_limit, 'paused', ${ms('c.paused_until')},
  'why', c.pause_reason, 'canary', ${ms('c.canary_since')}, 'since', ${ms('c.paused_since')},
  'trouble', nullif(c.paused_after_trouble, false), 'level', nullif(c.trouble_level, 0), 'first', c.first_list, 'shows', c.first_list_shows`

export const fullStateSql = `SELECT json_build_object(
  'issuances', ${arrayOf(issuance, 'issuance i WHERE i.environment = $1', 'i.id')},
  'attempts', ${arrayOf(attempt, 'attempt a WHERE a.environment = $1', 'a.id')},
  'runs', ${arrayOf(run, 'run r WHERE r.environment = $1', 'r.received_at, r.id')},
  'courses', ${arrayOf(course, 'course c WHERE c.environment = $1', 'c.course_uuid')},
  'scans', ${arrayOf(`'id', s.id, 'since', s.since, 'started', ${ms('s.started_at')}, 'ended', ${ms('s.ended_at')}, 'complete', s.complete`, 'scan s WHERE s.environment = $1', 's.id')},
  'sightings', ${arrayOf(`'key', s.item_key, 'at', ${ms('s.first_seen_at')}`, 'sighting s WHERE s.environment = $1', 's.item_key COLLATE "C"')},
  'surplus', ${arrayOf(`'key', s.item_key, 'issuance', s.issuance_id`, 'surplus_item s WHERE s.environment = $1', 's.item_key COLLATE "C"')},
  'poller', (SELECT json_build_object('due', ${ms('p.due_at')}, 'deep', ${ms('p.deep_due_at')}, 'asked', ${ms('p.asked_at')}) FROM poller p WHERE p.environment = $1)
) AS full_state`
