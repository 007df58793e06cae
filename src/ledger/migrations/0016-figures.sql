-- Figures of rows by state, asked for every few seconds. Those under way have their indexes; these have come to rest without a credential, or
-- lost it, and are few. What is issued is not counted at all: it is what runs have accepted, less all others.
CREATE INDEX issuance_at_rest ON issuance (environment, pipeline, state) WHERE state IN ('held', 'failed', 'rejected', 'revoked');
