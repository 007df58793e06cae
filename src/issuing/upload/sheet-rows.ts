// Converts recipients to the rows of an upload sheet. Pure.

import type { SheetLayout } from './sheet-layout.ts'

/**
 * Returns the header and one row for each recipient, in the order of the recipients. Columns without a value stay
 * empty.
 * @param images the file name of each recipient's image, in the same order
 */
export function sheetRows(
  layout: SheetLayout,
  recipients: readonly Readonly<Record<string, string>>[],
  images: readonly (string | null)[],
): string[][] {
  const rows = recipients.map((recipient, index) => {
    const cells = layout.columns.map(() => '')
    for (const [field, at] of layout.fields) cells[at] = recipient[field] ?? ''
    if (layout.courseNumber) cells[layout.courseNumber.column] = layout.courseNumber.text
    if (layout.image !== null) cells[layout.image] = images[index] ?? ''
    return cells
  })
  return [[...layout.columns], ...rows]
}
