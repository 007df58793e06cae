// How a write-back ended, as the read-back shows it. Moodle's own "ok" is no proof: it says the same when it wrote nothing.

export type Written =
  /** What was read back is what was to be written. */
  | { kind: 'verified' }
  /** Moodle said yes, and these fields show something else: renamed, locked, or cut. */
  | { kind: 'differs'; fields: string[] }
  /** Moodle answered with a warning about this learner, such as `invaliduserid` or `usernotupdatedadmin`. */
  | { kind: 'refused'; warningcode: string }
