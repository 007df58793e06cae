// SQL that makes PostgreSQL use an index where the planner's estimates are wrong. Pure.

/**
 * SQL: the rows of a table that meet a condition. Can be used in a lateral join. OFFSET 0 keeps the planner from
 * merging this subquery with the outer query, so the rows are looked up in an index by this condition, however many the
 * planner expects. The planner has no samples of personal columns. It therefore assumes that each learner has a
 * two-hundredth of all completions, and prefers to read whole tables.
 */
export const lookUp = (table: string, condition: string) => `(SELECT * FROM ${table} WHERE ${condition} OFFSET 0)`

/**
 * SQL: the rows for each element of an array parameter, looked up one element at a time. The condition refers to the
 * element as `wanted.key`. Without this, if the array is compared with a later column of an index, PostgreSQL before 17
 * reads all rows that match the earlier column whenever it expects few of them.
 */
export const lookUpEach = (parameter: string, type: string, table: string, condition: string) =>
  `unnest(${parameter}::${type}[]) wanted(key) CROSS JOIN LATERAL ${lookUp(table, condition)}`

/**
 * SQL: any element of an array parameter, to look up many rows by their keys in one statement. The planner assumes that
 * an array built by a subquery has ten elements, whatever the statistics are. So it looks up each element in the index,
 * instead of reading the whole of a table that it believes to be small.
 */
export const eachOf = (parameter: string, type = 'bigint') => `ANY(ARRAY(SELECT unnest(${parameter}::${type}[])))`
