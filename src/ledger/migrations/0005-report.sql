-- The report: what the service's list of all credentials showed, which of its items are ours, and when it is read.

-- A report claim: an item of the report belongs to one issuance, for ever, and an issuance has one item.
CREATE TABLE report_claim (
  environment   text NOT NULL,
  item_key      text NOT NULL,             -- the item's entity_uuid, or its fingerprint until it has one
  issuance_id   bigint NOT NULL UNIQUE REFERENCES issuance,
  fingerprint   text NOT NULL,
  claimed_at    timestamptz NOT NULL DEFAULT clock_timestamp(),
  looked_at     timestamptz,               -- when the watch last asked the report for it; null: not yet
  missing_since timestamptz,               -- the report was read for it, and no longer shows it
  PRIMARY KEY (environment, item_key)
);
COMMENT ON TABLE report_claim IS 'kept as long as the ledger';
COMMENT ON COLUMN report_claim.item_key IS 'pseudonymous: the id of the item, or its fingerprint';
COMMENT ON COLUMN report_claim.fingerprint IS 'pseudonymous: keyed hash of what the item shows';
CREATE INDEX report_claim_missing ON report_claim (environment) WHERE missing_since IS NOT NULL;

-- When an item of the report was first seen. An item that was seen before an issuance was first sent is part of its
-- baseline, and not ours. No personal data.
CREATE TABLE sighting (
  environment   text NOT NULL,
  item_key      text NOT NULL,
  request_date  date,                      -- as the report dates it
  first_seen_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (environment, item_key)
);
COMMENT ON TABLE sighting IS 'kept as long as the ledger';
COMMENT ON COLUMN sighting.item_key IS 'pseudonymous: as in report_claim';

-- A report item for the person of an issuance beyond the one that was asked for: somebody has issued the same
-- credential elsewhere, or the service has issued it twice.
CREATE TABLE surplus_item (
  environment text NOT NULL,
  item_key    text NOT NULL,
  issuance_id bigint NOT NULL REFERENCES issuance,
  seen_at     timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (environment, item_key)
);
COMMENT ON TABLE surplus_item IS 'kept as long as the ledger';
COMMENT ON COLUMN surplus_item.item_key IS 'pseudonymous: as in report_claim';

-- One reading of the report. Only complete scans prove anything, and only about calls made before they began.
CREATE TABLE scan (
  id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  environment text NOT NULL,
  since       date NOT NULL,               -- the day back to which it reads
  started_at  timestamptz NOT NULL DEFAULT clock_timestamp(),
  ended_at    timestamptz,
  complete    boolean NOT NULL DEFAULT false,
  pages       integer NOT NULL DEFAULT 0,
  items       integer NOT NULL DEFAULT 0,
  claimed     integer NOT NULL DEFAULT 0,  -- new report claims
  unknown     integer NOT NULL DEFAULT 0,  -- items with a status that is not documented
  problem     text
);
CREATE INDEX scan_recent ON scan (environment, started_at DESC);

-- When the report is read next.
CREATE TABLE poller (
  environment text PRIMARY KEY,
  deep_due_at timestamptz NOT NULL DEFAULT clock_timestamp(),  -- for all open rows, and not only for the recent ones
  due_at      timestamptz NOT NULL DEFAULT clock_timestamp(),
  asked_at    timestamptz
);

-- The watch over issued credentials, which may be revoked in the portal: when it looks next, and how far it has come.
CREATE TABLE credential_watch (
  environment    text PRIMARY KEY,
  due_at         timestamptz NOT NULL,
  asked_at       timestamptz,
  sorted_at      timestamptz,              -- whatever was revoked before is seen: a reading by date of revocation began
  round_began_at timestamptz,              -- of a round through all pages of the report; null between two rounds
  position       integer NOT NULL DEFAULT 0,  -- records of that round that are read
  page_records   integer,                  -- records on one of its pages
  all_wanted_at  timestamptz,              -- when an operator last wanted all of them looked at
  all_done_at    timestamptz,
  -- The last turn: when it ended, how it read the report (completely, in the order of revocation, by days, by pages),
  -- how many credentials were issued then, and since when each of them has been looked at.
  ended_at       timestamptz,
  way            text CHECK (way IN ('whole', 'order', 'days', 'pages')),
  issued         integer,
  looked_since   timestamptz
);
