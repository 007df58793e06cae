// SQL that says what an issuance of an erasure still waits for. Aliases: `i` is the issuance, `x` the erasure.

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
// while its completion still names the learner. Rows of files name none, but those of corrections may. There are few such
// runs, and they are read once for all issuances.
const mayNameLearners = `(starts_with(run.source_path, 'completions:') OR run.corrects IS NOT NULL)`
const unwrittenRuns = `ARRAY(SELECT id FROM run WHERE settled_at IS NULL AND ${mayNameLearners}
  UNION ALL SELECT run.id FROM write_back w JOIN run ON run.id = w.run_id WHERE w.written < w.wanted AND ${mayNameLearners})`
const isDeliveryToCome = `(i.state IN ('issued', 'revoked') AND ${unwrittenRuns} <> '{}'
  AND EXISTS (SELECT FROM run_row r WHERE r.issuance_id = i.id AND r.run_id = ANY(${unwrittenRuns})))`
const isToBeTold = `(greatest(x.requested_at, i.state_since) > clock_timestamp() - ${deliveryWait} AND (${isDeliveryLeft} OR ${isDeliveryToCome}))`

/** SQL: what the issuance waits for; null if its data can be emptied. */
export const waitsForSql = `CASE
  WHEN i.state = 'held' THEN 'a decision' WHEN i.state = 'pending' THEN 'its withdrawal' WHEN ${isUnderWay} THEN 'its call'
  WHEN ${isToBeRevoked} THEN 'its revocation' WHEN ${isToBeTold} THEN 'a learning system' END`
