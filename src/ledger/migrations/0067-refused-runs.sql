-- The refused runs of a pipeline, newest first, for the page of runs.

CREATE INDEX run_refused_recent ON run (environment, received_at DESC) WHERE state = 'refused';
