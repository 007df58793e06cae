// The forgeries that test/support/auditor.test.ts uses, each with the promise that it breaks.

import type { HeldRequest } from '#sandboxes/service/open-sandbox.ts'
import type { Findings } from '#test/support/auditor.ts'
import type { Forgery } from './forged-world.ts'

const sql = (text: string): Forgery => ({ sql: text })
const resent = (proof: string) =>
  `INSERT INTO history (issuance_id, event, from_state, to_state, attempt_id) VALUES
     (1, '${proof}', 'issued', 'pending', 1), (1, 'sending', 'pending', 'sending', 1), (1, 'call accepted', 'sending', 'issued', 1)`
const first = (uuids: readonly string[]) => uuids[0] as string

/** What is forged, the promise that the auditor must report, and the forgery itself. */
export const forgeries: [string, keyof Findings, Forgery][] = [
  [
    'a second request for one person',
    'issued twice',
    { requests: (all) => [...all, { ...(all[0] as HeldRequest), entityUuid: 'twin' }] },
  ],
  [
    'a second request for one person with a different spelling',
    'issued twice',
    {
      requests: ([one, ...more]) => [
        one as HeldRequest,
        { ...(one as HeldRequest), entityUuid: 'twin', student: { ...one?.student, Email: ' PERSON.1@example.org' } },
        ...more,
      ],
    },
  ],
  [
    'a correction of a credential that was not revoked',
    'issued twice',
    sql('UPDATE issuance SET corrects = 2 WHERE id = 1'),
  ],
  ['a second sending without a proof', 'I1 sent without permission', sql(resent('report'))],
  ['a second sending after a proof without a look', 'I1 sent without permission', sql(resent('proven not applied'))],
  ['a second sending after the batch was refused', 'I1 sent without permission', sql(resent('call refused'))],
  [
    'a claimed attempt that is not in the history',
    'I1 sent without permission',
    sql(`WITH a AS (INSERT INTO attempt (environment, course_uuid, pipeline, phase, size, sending_at)
           SELECT environment, course_uuid, pipeline, 'ended', 1, clock_timestamp() FROM attempt WHERE id = 1 RETURNING id)
         INSERT INTO attempt_item (attempt_id, issuance_id, position) SELECT id, 1, 1 FROM a`),
  ],
  [
    'a request from a call that was not sent',
    'I1 sent without permission',
    sql(
      `UPDATE attempt SET outcome = 'not_sent' WHERE id IN (SELECT attempt_id FROM attempt_item WHERE issuance_id = 1)`,
    ),
  ],
  [
    'a request that belongs to no row',
    'I1 sent without permission',
    {
      requests: (all) => [
        ...all,
        { ...(all[0] as HeldRequest), entityUuid: 'x', student: { Email: 'stranger@example.org' } },
      ],
    },
  ],
  ['two calls of one attempt', 'I1 sent without permission', { calls: (uuids) => [uuids, [first(uuids)]] }],
  [
    'one item claimed by two rows',
    'I2 claimed twice',
    sql('UPDATE issuance SET entity_uuid = (SELECT entity_uuid FROM issuance WHERE id = 2) WHERE id = 1'),
  ],
  [
    'an item that is both claimed and surplus',
    'I2 claimed twice',
    sql(
      'INSERT INTO surplus_item (environment, item_key, issuance_id) SELECT environment, item_key, 2 FROM report_claim WHERE issuance_id = 1',
    ),
  ],
  [
    'a row that is issued without a claim',
    'I3 final without a cause',
    sql('DELETE FROM report_claim WHERE issuance_id = 1'),
  ],
  [
    'a row that failed without a claim',
    'I3 final without a cause',
    sql('DELETE FROM report_claim WHERE issuance_id = 6'),
  ],
  [
    'a row that failed because its batch was refused',
    'I3 final without a cause',
    sql('UPDATE attempt SET size = 2 WHERE id = (SELECT attempt_id FROM issuance WHERE id = 7)'),
  ],
  [
    'a claim of an item that the service never had',
    'I3 final without a cause',
    sql(`UPDATE report_claim SET item_key = 'invented' WHERE issuance_id = 1`),
  ],
  [
    'a state that is not in the history',
    'I4 not in one state at a time',
    sql(`UPDATE issuance SET state = 'held' WHERE id = 1`),
  ],
  [
    'a history with a gap',
    'I4 not in one state at a time',
    sql(`INSERT INTO history (issuance_id, event, from_state, to_state) VALUES (1, 'report', 'requested', 'issued')`),
  ],
  [
    'a pending row that is never due',
    'I4 unfinished and never due',
    sql(`UPDATE issuance SET state = 'pending', due_at = 'infinity' WHERE id = 1`),
  ],
  [
    'a sending row without an attempt',
    'I4 unfinished and never due',
    sql(`UPDATE issuance SET state = 'sending' WHERE id = 1`),
  ],
  [
    'an open row without a scheduled scan of the report',
    'I4 unfinished and never due',
    sql(`UPDATE poller SET due_at = 'infinity'; UPDATE issuance SET state = 'requested' WHERE id = 1`),
  ],
  ['an incomplete attempt', 'I4 unfinished and never due', sql(`UPDATE attempt SET phase = 'prepared' WHERE id = 1`)],
  [
    'the credential of another person in the results',
    'I5 false results',
    { resultsFile: (text) => text.replace(/(\d{4}-){3}\d{4}/, '1111-2222-3333-4444') },
  ],
  [
    'a row reported as issued that is not issued',
    'I5 false results',
    { resultsFile: (text) => text.replace('rejected', 'issued') },
  ],
  [
    'an issued row reported as failed',
    'I5 false results',
    { resultsFile: (text) => text.replace(/issued,(\d{4}-?){4},[^,]*,[^,]*,/, 'failed,,,,') },
  ],
  [
    'a failed row reported as rejected',
    'I5 false results',
    { resultsFile: (text) => text.replaceAll('failed', 'rejected') },
  ],
  [
    'a row reported as refused that the service accepted',
    'I5 false results',
    {
      requests: (all) => [
        ...all,
        {
          ...(all[0] as HeldRequest),
          entityUuid: 'x',
          student: { ...all[0]?.student, Email: 'refused.7@example.org', 'First Name': 'Ada7' },
        },
      ],
    },
  ],
  ['a run marked as delivered without a results file', 'I5 false results', sql('UPDATE run SET results_path = NULL')],
  [
    'a results file with a missing line',
    'I5 false results',
    { resultsFile: (text) => text.replace(/person\.2.*\r?\n/, '') },
  ],
  ['a results file that is out of date', 'I5 false results', sql(`UPDATE issuance SET state = 'revoked' WHERE id = 1`)],
  [
    'a claim of another person’s item',
    "I6 somebody else's credential",
    sql(
      `UPDATE report_claim SET item_key = 'swap' WHERE issuance_id = 1; UPDATE report_claim SET item_key = (SELECT entity_uuid FROM issuance WHERE id = 1) WHERE issuance_id = 2`,
    ),
  ],
  [
    'another person’s credential id',
    "I6 somebody else's credential",
    sql('UPDATE issuance SET credential_id = (SELECT credential_id FROM issuance WHERE id = 2) WHERE id = 1'),
  ],
  [
    'a value that differs from the sent one',
    "I6 somebody else's credential",
    {
      requests: ([one, ...more]) => [
        { ...(one as HeldRequest), student: { ...one?.student, 'Last Name': 'Byron' } },
        ...more,
      ],
    },
  ],
  ['a settled run whose results are not delivered', 'I8 settled but never delivered', sql('DELETE FROM write_back')],
  ['an accepted row that the service never received', 'lost', { requests: ([, ...more]) => more }],
  [
    'a row that is pending although a call with it was accepted',
    'lost',
    { sql: `UPDATE issuance SET state = 'pending' WHERE id = 1`, requests: ([, ...more]) => more },
  ],
  ['a count that differs from the rows', 'I4 counted wrongly', sql('UPDATE run_count SET rows = rows + 1')],
  ['a source row without an outcome', 'lost', sql('DELETE FROM run_row WHERE row_number = 3')],
  [
    'a published row that is still staged',
    'lost',
    sql(`INSERT INTO staged_row (run_id, row_number, cells) SELECT id, 99, '[]' FROM run`),
  ],
]
