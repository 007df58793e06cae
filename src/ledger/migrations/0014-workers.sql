-- Workers that share a Redis are shown too, each by a lock of its own; without Redis the lock is the one that makes a worker the only one.
-- Nobody knew whether one without a lock was still there.
DELETE FROM worker WHERE backend IS NULL;
ALTER TABLE worker ADD COLUMN lock text NOT NULL DEFAULT 'worker';
ALTER TABLE worker DROP CONSTRAINT worker_pkey;
ALTER TABLE worker ADD PRIMARY KEY (environment, lock);
ALTER TABLE worker ALTER COLUMN backend SET NOT NULL;
