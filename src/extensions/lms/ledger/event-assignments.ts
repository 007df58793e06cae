// SQL that changes inbound events, shared by those who may change them. Pure: builds SQL and does not run it.

/**
 * SQL: the assignments that make an event due to be processed again now. The time of its earlier processing is kept, so
 * that it still counts as processed before.
 */
export const processAgainSql = `state = 'new', problem = NULL, due_at = clock_timestamp()`

/** SQL: the assignments that delete what the sender wrote. */
export const noBody = `body = NULL, headers = '{}'`
