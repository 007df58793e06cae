// SQL for looking up rows where the planner's estimates are wrong. Pure.

/**
 * SQL: the rows of a table that meet a condition, also in a lateral join. OFFSET 0 keeps the planner from merging this
 * with the query around it: the rows are found by this condition, in an index, however many the planner expects. It has
 * no samples of personal columns, so it assumes that each learner has a two-hundredth of all completions, and would
 * rather read whole tables.
 */
export const lookUp = (table: string, condition: string) => `(SELECT * FROM ${table} WHERE ${condition} OFFSET 0)`

/**
 * SQL: the rows for each element of an array parameter, which the condition calls `wanted.key`, looked up one by one.
 * If a condition on an array follows another column of the index, PostgreSQL before 17 instead reads all rows with that
 * column's value when it expects only a few.
 */
export const lookUpEach = (parameter: string, type: string, table: string, condition: string) =>
  `unnest(${parameter}::${type}[]) wanted(key) CROSS JOIN LATERAL ${lookUp(table, condition)}`

/**
 * SQL: any element of an array parameter, to look up many rows by their keys in one statement. The planner assumes that
 * an array that a query makes has ten elements, whatever its statistics say, so it looks each element up in the index
 * instead of reading a table that it takes for small.
 */
export const eachOf = (parameter: string, type = 'bigint') => `ANY(ARRAY(SELECT unnest(${parameter}::${type}[])))`
