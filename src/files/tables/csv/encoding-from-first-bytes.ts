// Recognizes encodings by the first bytes of a text. Pure.

/** Returns the encoding of the byte order mark that `head` begins with. */
export function byOrderMark(head: Buffer): string | undefined {
  if (head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf) return 'utf-8'
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le'
  if (head[0] === 0xfe && head[1] === 0xff) return 'utf-16be'
  return undefined
}

/**
 * Recognizes UTF-16 by its NULs: every separator, digit and line end has one on the same side. In other text, NULs are
 * few, occur on both sides, or are not next to line ends.
 */
export function byNulParity(head: Buffer): string | undefined {
  const nuls = [0, 0]
  for (let at = 0; at < head.length; at++) if (head[at] === 0) nuls[at % 2] = (nuls[at % 2] ?? 0) + 1
  const [even = 0, odd = 0] = nuls
  const many = Math.max(2, (head.length / 2) * 0.05)
  if (odd >= many && even * 20 < odd && hasWideLineEnds(head, 0)) return 'utf-16le'
  if (even >= many && odd * 20 < even && hasWideLineEnds(head, 1)) return 'utf-16be'
  return undefined
}

/**
 * Returns true if line ends at positions of parity `low` have a NUL as their other byte. Not all need one, because 上
 * contains the byte of a line feed and 不 that of a carriage return.
 */
function hasWideLineEnds(head: Buffer, low: 0 | 1): boolean {
  let wide = 0
  let narrow = 0
  for (let at = low; at < head.length; at += 2) {
    if (head[at] !== 0x0a && head[at] !== 0x0d) continue
    if (head[low === 0 ? at + 1 : at - 1] === 0) wide++
    else narrow++
  }
  const none = !head.includes(0x0a) && !head.includes(0x0d)
  return none || (wide > 0 && wide * 4 >= narrow)
}
