// SQL for looking up many rows by their keys in one statement.

/**
 * SQL: any element of an array parameter. The planner takes an array that a query makes for ten elements, whatever its
 * statistics say, so it looks each element up in the index instead of reading a table that it takes for small. Pure.
 */
export const eachOf = (parameter: string, type = 'bigint') => `ANY(ARRAY(SELECT unnest(${parameter}::${type}[])))`
