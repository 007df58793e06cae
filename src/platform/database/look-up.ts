// SQL for looking up rows by a condition of which the planner knows too little.

/**
 * SQL: the rows of a table that meet a condition, also in a lateral join. OFFSET 0 keeps what surrounds it out: the rows
 * are found by this condition, in an index, however many the planner expects. It has no samples of personal columns, so it
 * takes each learner for a two-hundredth of all completions, and would rather read tables as a whole. Pure.
 */
export const lookUp = (table: string, condition: string) => `(SELECT * FROM ${table} WHERE ${condition} OFFSET 0)`
