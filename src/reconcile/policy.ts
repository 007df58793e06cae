// The numbers that decisions are made by. Each is a setting; its reason stands with it in config/schema.ts.

export interface Policy {
  /**
   * Milliseconds that absence from the report means nothing, by what became of the call: the longest that the service may take to show a
   * request. Looks count from then on, and only when they are as far apart.
   */
  graceMs: { unknown: number; refused: number }
  /** Looks that prove absence: with a control each, unless the call was refused in words. */
  looks: number
  /** Looks after which a person is asked, when nothing sent later is visible either; and when others of the batch are visible. */
  looksWithoutControl: number
  looksWithoutBatch: number
  /** Automatic re-sends in a row's life after an unknown outcome: 0 or 1. */
  resends: number
}
