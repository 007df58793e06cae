// Prints a table on the terminal: the first column is left-aligned, the others right-aligned, each as wide as its
// widest cell.

export function printTable(rows: readonly (readonly string[])[]): void {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  for (const row of rows)
    console.log(
      row
        .map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0)))
        .join('  ')
        .trimEnd(),
    )
}

export const whole = (value: number) => Math.round(value).toLocaleString('en')
export const megabytes = (bytes: number) => `${Math.round(bytes / 1_048_576)} MB`
