// Whether the data of a person were deleted.

/**
 * SQL: whether the data of the issuance are deleted, as an erasure or the end of a retention wanted.
 * @param id SQL for its id
 */
export const isEmptied = (id: string) =>
  `EXISTS (SELECT FROM erased_issuance e WHERE e.issuance_id = ${id} AND e.emptied_at IS NOT NULL)`
