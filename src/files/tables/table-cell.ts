// The cells of a table that credsync writes, and the interface of an encoder for a file format. Pure.

/**
 * A number or boolean of a workbook, with its number format (General if omitted). A text format writes `text` instead.
 */
export interface TypedCell {
  text: string
  value: number | boolean
  format?: string | undefined
}

export type TableCell = string | TypedCell

/** Encodes rows of one file format into a sink. */
export interface TableEncoder {
  /** Resolves when the next row can be buffered. */
  write(cells: readonly TableCell[]): Promise<void>
  /** Ends the sink, and resolves when everything was passed to it. */
  end(): Promise<void>
  /** Stops encoding; the sink remains incomplete. */
  abort(): void
}

export function textOf(cell: TableCell): string {
  return typeof cell === 'string' ? cell : cell.text
}
