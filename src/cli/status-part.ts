/** What an extension adds to `status`. */
export interface StatusPart {
  lines: string[]
  /** Its members of the JSON document; left out if it has no lines. */
  document: object
}
