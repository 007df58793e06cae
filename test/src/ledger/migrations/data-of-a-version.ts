// Data as a ledger of an earlier version holds them: a list with a row in every state, and what that version knows
// besides. The statements use only columns that exist in that version. Writes to the database.

import type { Database, Sql } from '#src/platform/database/database.ts'

/** The rows of a list by their numbers, in the order of `statesOf`. */
const sent = [2, 3, 4, 5, 6, 7, 8, 9, 10]

/** The state in which each row of a version's list ends, by its row number. */
export const statesOfRows: Readonly<Record<number, string>> = {
  1: 'pending',
  2: 'sending',
  3: 'unconfirmed',
  4: 'requested',
  5: 'in_progress',
  6: 'issued',
  7: 'rejected',
  8: 'failed',
  9: 'held',
  10: 'revoked',
}

/** Steps in the order of their statements: which rows take them, and what they set. */
const steps: readonly [to: string, rows: readonly number[], sets: string][] = [
  [
    'sending',
    sent,
    `event = 'claimed', attempt_id = $ATTEMPT, first_sent_at = clock_timestamp(), due_at = clock_timestamp()`,
  ],
  ['unconfirmed', [3], `event = 'answer', due_at = clock_timestamp()`],
  ['requested', [4, 5, 6, 7, 8, 9, 10], `event = 'answer'`],
  ['in_progress', [5, 6, 7, 8, 9, 10], `event = 'report', entity_uuid = 'e-' || id`],
  ['issued', [6, 10], `event = 'report', credential_id = 'C-' || id`],
  ['rejected', [7], `event = 'report'`],
  ['failed', [8], `event = 'report'`],
  ['held', [9], `event = 'report'`],
  ['revoked', [10], `event = 'report', revoked_date = '2026-11-01'`],
]

const course = '11111111-1111-4111-8111-111111111111'

/**
 * Writes the list of a version, `list-NNNN.csv` of the pipeline `p-NNNN`.
 * @param version the number of the ledger's last migration, such as 0036
 */
export async function writeDataOfVersion(database: Database, version: string): Promise<void> {
  await database.transaction(async (sql) => {
    const run = await writeList(sql, version)
    await send(sql, run, version)
    for (const [since, statement] of laterData)
      if (version >= since) await sql.query(statement.replaceAll('$RUN', `'${run}'`).replaceAll('$V', version))
  })
}

async function writeList(sql: Sql, version: string): Promise<string> {
  const { rows } = await sql.query<{ id: string }>(
    `INSERT INTO run (environment, pipeline, course_uuid, source_name, source_path, source_sha256, state, rows, invalid, skipped, accepted, published_at)
     VALUES ('development', 'p-' || $1, $2, 'list-' || $1 || '.csv', '/list-' || $1 || '.csv', $1, 'published', 12, 1, 1, 10, clock_timestamp()) RETURNING id`,
    [version, course],
  )
  const run = rows[0]?.id ?? ''
  await sql.query(
    `INSERT INTO issuance (environment, course_uuid, issuance_key, identity_hash, run_id, row_number, pipeline, recipient, event)
     SELECT 'development', $1, sha256(convert_to($2 || '-' || n, 'UTF8')), sha256(convert_to('i' || $2 || '-' || n, 'UTF8')), $3, n, 'p-' || $2,
            jsonb_build_object('Email', 'p' || n || '.' || $2 || '@example.org', 'First Name', 'Ada'), 'accepted'
     FROM generate_series(1, 10) n`,
    [course, version, run],
  )
  await sql.query(
    `INSERT INTO issuance_match (hash, issuance_id) SELECT sha256(convert_to('m' || id, 'UTF8')), id FROM issuance WHERE run_id = $1`,
    [run],
  )
  await sql.query(
    `INSERT INTO run_row (run_id, row_number, outcome, cells, issuance_id)
     SELECT run_id, row_number, 'accepted', jsonb_build_array('row ' || row_number), id FROM issuance WHERE run_id = $1
     UNION ALL SELECT $1, 11, 'invalid', '["no address"]', NULL
     UNION ALL SELECT run_id, 12, 'skipped', '["twice"]', id FROM issuance WHERE run_id = $1 AND row_number = 6`,
    [run],
  )
  return run
}

/** Sends nine of the rows: two calls that have no outcome yet or an unknown one, and one that was accepted. */
async function send(sql: Sql, run: string, version: string): Promise<void> {
  const attempts: [phase: string, outcome: string | null, rows: number[]][] = [
    ['sending', null, [2]],
    ['ended', 'unknown', [3]],
    ['ended', 'accepted', sent.slice(2)],
  ]
  for (const [phase, outcome, numbers] of attempts) {
    const { rows } = await sql.query<{ id: string }>(
      `INSERT INTO attempt (environment, course_uuid, pipeline, phase, size, sending_at, deadline_at, outcome, instance, ended_at)
       VALUES ('development', $1, 'p-' || $2, $3, $4, clock_timestamp(), clock_timestamp(), $5, gen_random_uuid(), CASE WHEN $3 = 'ended' THEN clock_timestamp() END)
       RETURNING id`,
      [course, version, phase, numbers.length, outcome],
    )
    const attempt = String(rows[0]?.id)
    await sql.query(
      `INSERT INTO attempt_item (attempt_id, issuance_id, position, open)
       SELECT $2, id, row_number, row_number <= 3 FROM issuance WHERE run_id = $1 AND row_number = ANY($3::int[])`,
      [run, attempt, numbers],
    )
    const openAttempt = version >= '0037' ? ', open_attempt = $ATTEMPT' : ''
    for (const [state, takers, sets] of steps) {
      const moved = takers.filter((row) => numbers.includes(row))
      const changes = `${sets}${state === 'sending' ? openAttempt : ''}`.replaceAll('$ATTEMPT', attempt)
      if (moved.length > 0)
        await sql.query(
          `UPDATE issuance SET state = '${state}', ${changes} WHERE run_id = $1 AND row_number = ANY($2::int[])`,
          [run, moved],
        )
    }
  }
  await sql.query(
    `INSERT INTO claim (environment, item_key, issuance_id, fingerprint)
     SELECT environment, entity_uuid, id, 'f-' || id FROM issuance WHERE run_id = $1 AND entity_uuid IS NOT NULL`,
    [run],
  )
}

/** What a ledger holds besides, by the migration that made room for it. `$RUN` is the list, `$V` the version. */
const laterData: readonly [since: string, statement: string][] = [
  ['0001', `INSERT INTO write_back (run_id, target, told) VALUES ($RUN, 'results-file', 1)`],
  [
    '0001',
    `INSERT INTO sighting (environment, item_key) SELECT 'development', 'e-' || id FROM issuance WHERE run_id = $RUN`,
  ],
  ['0001', `INSERT INTO scan (environment, since, complete) VALUES ('development', '2026-11-01', true)`],
  [
    '0002',
    `INSERT INTO course_probe (environment, course_uuid, findings) VALUES ('development', gen_random_uuid(), '{}')`,
  ],
  [
    '0004',
    `INSERT INTO inbox_look (environment, pipeline, last_due_at) VALUES ('development', 'p-$V', clock_timestamp())`,
  ],
  ['0006', `INSERT INTO image (sha256, bytes, type) VALUES (sha256('$V'), '$V', 'png')`],
  [
    '0008',
    `INSERT INTO revocation (environment, credential_id, issuance_id, by, state)
     SELECT environment, credential_id, id, 'Ada', 'seen' FROM issuance WHERE run_id = $RUN AND state = 'revoked'`,
  ],
  ['0012', `INSERT INTO archive (environment, pipeline, folder) VALUES ('development', 'p-$V', '/archive')`],
  [
    '0012',
    `INSERT INTO archived_certificate (issuance_id, folder, file, sha256, size, kept_at)
     SELECT id, '/archive', credential_id || '.pdf', 'x', 9, clock_timestamp() FROM issuance WHERE run_id = $RUN AND state = 'issued'`,
  ],
  [
    '0018',
    `INSERT INTO delivery (environment, system, key, headers, body, state, judged_at)
     VALUES ('development', 'campus', 'new $V', '{}', '{}', 'new', NULL), ('development', 'campus', 'old $V', '{}', '{}', 'judged', clock_timestamp())`,
  ],
  [
    '0018',
    `INSERT INTO completion (environment, system, pipeline, learner, course, completed_at, heard_by, cells, state, run_id, row_number)
     SELECT 'development', 'campus', 'p-$V', 'l' || n, 'FIRE-1', clock_timestamp(), 'event', '{"Email": "l@example.org"}'::jsonb, state, run, n
     FROM (VALUES (1, 'ready', NULL::uuid), (6, 'taken', $RUN)) c (n, state, run)`,
  ],
  ['0018', `INSERT INTO learning_system (environment, system) VALUES ('development', 'campus-$V')`],
  [
    '0018',
    `INSERT INTO tell (issuance_id, target, wanted, state, verified_at)
     SELECT id, 'profile', state, CASE state WHEN 'issued' THEN 'verified' ELSE 'pending' END, CASE state WHEN 'issued' THEN clock_timestamp() END
     FROM issuance WHERE run_id = $RUN AND state IN ('issued', 'failed')`,
  ],
  ['0031', `INSERT INTO obstacle (environment, subject, detail) VALUES ('development', 's-$V', 'It waits.')`],
  [
    '0050',
    `INSERT INTO notice (environment, key, kind, facts, since, opened_at, reminded_at)
     VALUES ('development', 'held p-$V', 'held', '{"count": 1}', clock_timestamp(), clock_timestamp(), clock_timestamp())`,
  ],
  [
    '0050',
    `INSERT INTO notice_change (notice_id, recipient, change, facts, at)
     SELECT id, 'ops@example.org', 'opened', facts, opened_at FROM notice WHERE key = 'held p-$V'`,
  ],
  [
    '0057',
    `WITH erasure AS (
       INSERT INTO erasure (environment, kind, requested_by, reason, ended_at) VALUES ('development', 'request', 'Ada', 'on request', clock_timestamp()) RETURNING id)
     INSERT INTO erased_issuance (issuance_id, erasure_id, environment, course_uuid, identity_fields, name_fields, name_hash, emptied_at)
     SELECT i.id, erasure.id, i.environment, i.course_uuid, '{Email}', '{"First Name"}', 'n', clock_timestamp() FROM issuance i, erasure
     WHERE i.run_id = $RUN AND i.row_number = 7`,
  ],
  ['0057', `UPDATE issuance SET recipient = NULL WHERE run_id = $RUN AND row_number = 7`],
  ['0057', `UPDATE run_row SET cells = '[]' WHERE run_id = $RUN AND row_number = 7`],
  [
    '0057',
    `INSERT INTO erased_identifier (hash, issuance_id) SELECT 'h-$V', id FROM issuance WHERE run_id = $RUN AND row_number = 7`,
  ],
]
