-- Every list that is refused is reported once, whatever came before it or after it (docs/decisions/0087-each-refused-list.md).

-- When recipients were notified that it was refused. What was refused before is not reported again.
ALTER TABLE run ADD COLUMN refusal_noted_at timestamptz;
UPDATE run SET refusal_noted_at = settled_at WHERE state = 'refused';
CREATE INDEX run_refused ON run (environment, settled_at) WHERE state = 'refused' AND refusal_noted_at IS NULL;

-- Since when somebody wants to know of a kind, so that nobody reads of old lists once it is wanted again.
INSERT INTO notice_watch (environment, subject, terms, since)
  SELECT w.environment, kind, '', w.since FROM notice_watch w, unnest(ARRAY['notify refused', 'notify summary']) kind WHERE w.subject = 'notify';
DELETE FROM notice_watch WHERE subject = 'notify';

-- Exact copies of unfinished lists, which have no run: a list that is expected has come, too, if it is the same as the one before.
CREATE TABLE list_copy (
  path        text UNIQUE,                -- of the file in the inbox's folder; null if it was handed in by a command
  run_id      uuid NOT NULL REFERENCES run,
  environment text NOT NULL,
  pipeline    text NOT NULL,
  at          timestamptz NOT NULL DEFAULT clock_timestamp()
);
CREATE INDEX list_copy_of_pipeline ON list_copy (environment, pipeline, at);
