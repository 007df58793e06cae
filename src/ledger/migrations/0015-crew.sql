-- When a worker last said that it lives. One that shares a Redis is taken for dead when its lock is gone and it has been silent for a while: a
-- process that stands still keeps its lock, one whose connection was cut goes on speaking through others.
ALTER TABLE worker ADD COLUMN seen_at timestamptz NOT NULL DEFAULT clock_timestamp();
