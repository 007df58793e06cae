-- What notices and heartbeats note about lists and their rows.

-- What the watchdog of a pipeline was told last about each list. Only the newest list had been followed, so that one that was refused right before
-- the next came was never reported. What happened before a pipeline had an address is not reported (notice_watch, `heartbeat PIPELINE`).

ALTER TABLE run ADD COLUMN ping text CHECK (ping IN ('taken', 'sent', 'failed'));
UPDATE run SET ping = p.phase FROM heartbeat_ping p WHERE p.run_id = run.id;
INSERT INTO notice_watch (environment, subject, terms, since)
  SELECT p.environment, 'heartbeat ' || p.pipeline, '', coalesce(r.received_at, clock_timestamp()) FROM heartbeat_ping p LEFT JOIN run r ON r.id = p.run_id;
DROP TABLE heartbeat_ping;
CREATE INDEX run_to_ping ON run (environment, pipeline, received_at) WHERE ping IS NULL AND adopts IS NULL AND corrects IS NULL;
-- A list that the brake holds is reported as failed, and may still be sent.
CREATE INDEX run_pinged ON run (environment, pipeline) WHERE ping = 'taken' OR (ping = 'failed' AND state <> 'refused');

-- Rows that differ from a credential and will never wait for a decision again, because a later list names the same person, or because somebody has
-- decided: what waits is found without them (docs/decisions/0075-changed-rows-that-are-over.md). Nothing is marked here, which could take long: the
-- notices do it, some lists each minute, and count all rows until then.
ALTER TABLE run_row ADD COLUMN change_over boolean NOT NULL DEFAULT false;
DROP INDEX run_row_changed;
CREATE INDEX run_row_changed ON run_row (issuance_id) WHERE changed_fields IS NOT NULL AND NOT change_over;
-- Whether its rows were compared with those of the lists before and after it.
ALTER TABLE run ADD COLUMN changes_compared boolean NOT NULL DEFAULT false;
CREATE INDEX run_to_compare ON run (environment, published_at) WHERE state = 'published' AND NOT changes_compared;
