// The result of a write to Moodle, as the read-back shows it. A successful response alone proves nothing: Moodle sends
// the same response when it has written nothing. Pure.

export type MoodleWriteResult =
  /** The values read back equal the values written. */
  | { kind: 'verified' }
  /** Moodle reported success, but these fields show something else: renamed, locked, or truncated. */
  | { kind: 'differs'; fields: string[] }
  /** Moodle returned a warning about this learner, such as `invaliduserid` or `usernotupdatedadmin`. */
  | { kind: 'refused'; warningcode: string }
  /** The account was deleted: nothing can be written to it, ever. */
  | { kind: 'account_deleted' }
