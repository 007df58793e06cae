// SQL for looking up rows by a condition of which the planner knows too little.

/**
 * SQL: the rows of a table that meet a condition, also in a lateral join. OFFSET 0 keeps what surrounds it out: the rows
 * are found by this condition, in an index, however many the planner expects. It has no samples of personal columns, so it
 * takes each learner for a two-hundredth of all completions, and would rather read tables as a whole. Pure.
 */
export const lookUp = (table: string, condition: string) => `(SELECT * FROM ${table} WHERE ${condition} OFFSET 0)`

/**
 * SQL: the rows for each element of an array parameter, which the condition calls `wanted.key`, looked up one by one.
 * With a condition on an array after another column of the index, PostgreSQL before 17 reads all rows with that column
 * instead, if it takes them for few. Pure.
 */
export const lookUpEach = (parameter: string, type: string, table: string, condition: string) =>
  `unnest(${parameter}::${type}[]) wanted(key) CROSS JOIN LATERAL ${lookUp(table, condition)}`

// SQL that creates a schema only if it is missing.

/**
 * SQL: `CREATE SCHEMA IF NOT EXISTS` needs the right to create schemas even where the schema exists, so this asks first.
 * Pure.
 * @param name lower-case letters and underscores
 */
export const createSchema = (name: string) =>
  `DO $$ BEGIN IF to_regnamespace('${name}') IS NULL THEN CREATE SCHEMA IF NOT EXISTS ${name}; END IF; END $$`

// SQL for looking up many rows by their keys in one statement.

/**
 * SQL: any element of an array parameter. The planner takes an array that a query makes for ten elements, whatever its
 * statistics say, so it looks each element up in the index instead of reading a table that it takes for small. Pure.
 */
export const eachOf = (parameter: string, type = 'bigint') => `ANY(ARRAY(SELECT unnest(${parameter}::${type}[])))`
