-- The stored events are searched once for each erasure, and after that only those which came since or keep it open. The ids stand in the
-- erasure itself, so that a killed process cannot lose what it waits for.
ALTER TABLE erasure
  ADD COLUMN events_to bigint NOT NULL DEFAULT 0,            -- events up to this one are searched
  ADD COLUMN waiting_events bigint[] NOT NULL DEFAULT '{}',  -- those that keep it open
  DROP COLUMN events_wait;
