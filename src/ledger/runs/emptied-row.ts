// SQL for a staged row whose person was forgotten.

/** What a staged row becomes. */
export const emptiedRow = `cells = '[]', raw = NULL, recipient = NULL, issuance_key = NULL, identity_hash = NULL, match_hashes = NULL, image_sha256 = NULL`

/** The day of an erasure. @param erasure its table */
export const erasureDay = (erasure: string) => `to_char(${erasure}.requested_at AT TIME ZONE 'UTC', 'YYYY-MM-DD')`
