// Recipients as the rows of a sheet. Pure.

import type { SheetLayout } from './sheet-layout.ts'

/**
 * The header and one row for each recipient, in their order; columns that nothing fills stay empty.
 * @param images the name of each recipient's image, in the same order
 */
export function sheetRows(
  layout: SheetLayout,
  recipients: readonly Readonly<Record<string, string>>[],
  images: readonly (string | null)[],
): string[][] {
  const rows = recipients.map((recipient, index) => {
    const cells = layout.columns.map(() => '')
    for (const [field, at] of layout.fields) cells[at] = recipient[field] ?? ''
    if (layout.courseNumber) cells[layout.courseNumber.at] = layout.courseNumber.text
    if (layout.image !== null) cells[layout.image] = images[index] ?? ''
    return cells
  })
  return [[...layout.columns], ...rows]
}
