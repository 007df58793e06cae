/**
 * SQL: creates a schema only if it is missing. `CREATE SCHEMA IF NOT EXISTS` needs the right to create schemas even
 * where the schema exists, so this checks first.
 * @param name lower-case letters and underscores
 */
export const createSchema = (name: string) =>
  `DO $$ BEGIN IF to_regnamespace('${name}') IS NULL THEN CREATE SCHEMA IF NOT EXISTS ${name}; END IF; END $$`
