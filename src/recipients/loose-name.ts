// Names of columns and fields as people mean them: case, spaces and underscores make no difference.

/** The name reduced for comparing; empty when nothing but spaces and underscores is in it. */
export function looseName(name: string): string {
  return name
    .normalize('NFC')
    .toLowerCase()
    .replace(/[\s_]+/gu, '')
}
