// Resolves XML character references, by name or by number. Pure.

const reference = /&(?:#x([0-9a-fA-F]+)|#([0-9]+)|(amp|lt|gt|quot|apos));|&/g
const named: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

/** Resolves the references in `text`. Returns undefined if one of them is unknown or not allowed in XML. */
export function resolveReferences(text: string): string | undefined {
  let known = true
  const resolved = text.replace(reference, (_, hex?: string, decimal?: string, name?: string) => {
    const character = name === undefined ? characterOf(hex, decimal) : named[name]
    if (character !== undefined) return character
    known = false
    return ''
  })
  return known ? resolved : undefined
}

function characterOf(hex: string | undefined, decimal: string | undefined): string | undefined {
  const code = hex === undefined ? Number.parseInt(decimal ?? '', 10) : Number.parseInt(hex, 16)
  return isCharacter(code) ? String.fromCodePoint(code) : undefined
}

/** Returns true for characters that XML 1.0 allows: not for most controls, surrogates, U+FFFE and U+FFFF. */
function isCharacter(code: number): boolean {
  if (code < 0x20) return code === 0x09 || code === 0x0a || code === 0x0d
  return code <= 0xd7ff || (code >= 0xe000 && code <= 0xfffd) || (code >= 0x10000 && code <= 0x10ffff)
}
