// What extensions add to the output of the commands `status` and `explain`.

/** What an extension adds to `status`. */
export interface StatusPart {
  lines: string[]
  /** Its members of the JSON document; left out if it has no lines. */
  document: object
}

/** What an extension adds to the issuances that `explain` shows. */
export interface ExplainedBeside {
  /** Its members of the JSON document of an issuance. */
  documentOf(issuance: number): object
  /** Facts for people; those without a value are not shown. */
  factsOf(issuance: number): [name: string, value: string | null][]
  /** Further lines, before the history. */
  linesOf?(issuance: number): string[]
}
