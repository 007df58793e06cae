-- What lies in an inbox and is not taken, as it was at the last look: { count, examples: [{ name, why }] }, null when there is nothing.
ALTER TABLE inbox_look ADD COLUMN left_lying jsonb;
