// The type of a source row, with only the parts that the rules check.

export interface RowToCheck {
  /** The number of the row in its source, as people count rows. */
  row: number
  /** The cells as text, in the order of the header; a missing one is empty. */
  cells: readonly string[]
  /** The spreadsheet types of the cells. Only numbers, dates (as ISO text), booleans and errors make a difference. */
  kinds?: readonly string[]
}
