// Normalizes names of columns and fields so that case, spaces and underscores make no difference. Pure.

/** Normalizes a name for comparison; the result is empty if the name consists only of spaces and underscores. */
export function looseName(name: string): string {
  return name
    .normalize('NFC')
    .toLowerCase()
    .replace(/[\s_]+/gu, '')
}
