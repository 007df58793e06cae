-- Which store of queues each worker uses (an id that lies in Redis): two of them on one ledger would not share their allowance.
ALTER TABLE worker ADD COLUMN store text;
-- When a worker first could not read what was handed over, since nobody had; another one may.
ALTER TABLE run ADD COLUMN missed_at timestamptz;
