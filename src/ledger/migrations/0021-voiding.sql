-- Of a delivery that says of another one of its system that it counts no more: the key of that one, which may come later.
ALTER TABLE delivery ADD COLUMN voids bytea;
CREATE INDEX delivery_voids ON delivery (environment, system, voids) WHERE voids IS NOT NULL;
