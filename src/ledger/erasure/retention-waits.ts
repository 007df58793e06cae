// SQL that says which issuances retention leaves alone, because a person or a machine still needs their data. Aliases:
// `i` is the issuance.

const openRevocation = `EXISTS (SELECT FROM revocation v WHERE v.issuance_id = i.id
  AND (v.state IN ('wanted', 'sending', 'unconfirmed', 'accepted') OR v.correction IS NOT NULL))`

/** SQL: its rows may still be sent, corrected or decided about. */
export const needsDecision = `(i.state NOT IN ('issued', 'rejected', 'revoked') OR ${openRevocation})`

/** SQL: the row differs from its credential, and may still be taken for a correction. */
export const isWaitingChange = (row: string) =>
  `(${row}.changed_fields IS NOT NULL AND NOT ${row}.change_over AND i.state = 'issued')`

const isToBeArchived = `(i.archive_due_at IS NOT NULL AND i.state = 'issued'
  AND EXISTS (SELECT FROM archive a WHERE a.environment = i.environment AND a.pipeline = i.pipeline AND a.watched))`
const isToBeTold = `EXISTS (SELECT FROM delivery d WHERE d.issuance_id = i.id AND d.state = 'pending')`
const hasWaitingRow = `EXISTS (SELECT FROM run_row w WHERE w.issuance_id = i.id AND ${isWaitingChange('w')})`

/** SQL: whether the issuance waits for something, however old its lists are. */
export const waitsInRetention = `(${needsDecision} OR ${isToBeArchived} OR ${isToBeTold} OR ${hasWaitingRow})`
