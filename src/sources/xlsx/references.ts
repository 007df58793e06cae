// The characters that XML writes by name or by number.

const reference = /&(?:#x([0-9a-fA-F]+)|#([0-9]+)|(amp|lt|gt|quot|apos));|&/g
const named: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

/** `text` with its references resolved. Undefined when one of them is not of those that every XML has. */
export function resolveReferences(text: string): string | undefined {
  let known = true
  const resolved = text.replace(reference, (_, hex?: string, decimal?: string, name?: string) => {
    const character = name === undefined ? numbered(hex, decimal) : named[name]
    if (character !== undefined) return character
    known = false
    return ''
  })
  return known ? resolved : undefined
}

function numbered(hex: string | undefined, decimal: string | undefined): string | undefined {
  const code = hex === undefined ? Number.parseInt(decimal ?? '', 10) : Number.parseInt(hex, 16)
  return isCharacter(code) ? String.fromCodePoint(code) : undefined
}

/** What XML 1.0 takes for a character: no other controls, no halves of pairs, not U+FFFE and U+FFFF. */
function isCharacter(code: number): boolean {
  if (code < 0x20) return code === 0x09 || code === 0x0a || code === 0x0d
  return code <= 0xd7ff || (code >= 0xe000 && code <= 0xfffd) || (code >= 0x10000 && code <= 0x10ffff)
}
