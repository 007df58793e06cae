-- The brake's cap on a day: what is beyond it waits, and completions that come meanwhile wait behind it.

ALTER TABLE run ADD COLUMN beyond_day boolean NOT NULL DEFAULT false;   -- braked because of brake.perDay
CREATE INDEX run_published ON run (environment, pipeline, published_at DESC) WHERE state = 'published';
