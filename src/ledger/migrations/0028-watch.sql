-- Credentials that are issued are watched: when the report was last asked for each, and how far the watch has come.
ALTER TABLE claim ADD COLUMN looked_at timestamptz;       -- null: not since it was claimed
ALTER TABLE claim ADD COLUMN missing_since timestamptz;   -- the report was read for it, and did not show it
CREATE INDEX claim_missing ON claim (environment) WHERE missing_since IS NOT NULL;

CREATE TABLE credential_watch (
  environment    text PRIMARY KEY,
  due_at         timestamptz NOT NULL,
  asked_at       timestamptz,
  sorted_at      timestamptz,               -- when a reading began that saw all that is revoked, in its order
  round_began_at timestamptz,               -- of a round through all pages of the report; null between two
  position       integer NOT NULL DEFAULT 0,  -- records of that round which are read
  page_records   integer,                   -- how many a page of it holds
  all_wanted_at  timestamptz,               -- when a person last wanted all of them looked at
  all_done_at    timestamptz,
  ended_at       timestamptz,               -- of the last turn, and what it left:
  way            text CHECK (way IN ('whole', 'order', 'days', 'pages')),
  issued         integer,
  looked_since   timestamptz                -- every one of them was looked at since then
);
