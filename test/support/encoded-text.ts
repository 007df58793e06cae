// Encodes text in encodings that Node can only decode.

// The bytes of the western European DOS code page, which TextDecoder does not support. Only the letters of German.
const ibm850: ReadonlyMap<string, number> = new Map(
  [...'äöüÄÖÜß'].map((letter, at) => [letter, [0x84, 0x94, 0x81, 0x8e, 0x99, 0x9a, 0xe1][at] ?? 0]),
)
const lettersByEncoding = new Map<string, Map<string, Buffer>>()

/** Returns the bytes of `text`; characters that `encoding` does not have become question marks. */
export function encodedText(text: string, encoding: string): Buffer {
  if (encoding === 'ibm850') return Buffer.from([...text].map((letter) => ibm850.get(letter) ?? letter.charCodeAt(0)))
  const letters = lettersByEncoding.get(encoding) ?? lettersOf(encoding)
  lettersByEncoding.set(encoding, letters)
  return Buffer.concat([...text].map((letter) => letters.get(letter) ?? Buffer.from('?')))
}

function lettersOf(encoding: string): Map<string, Buffer> {
  const decoder = new TextDecoder(encoding)
  const letters = new Map<string, Buffer>()
  const add = (...bytes: number[]) => {
    const letter = decoder.decode(Buffer.from(bytes))
    if ([...letter].length === 1 && letter !== '\ufffd' && !letters.has(letter)) letters.set(letter, Buffer.from(bytes))
  }
  for (let byte = 0; byte < 256; byte++) add(byte)
  if (!/^(gbk|big5|euc-kr|shift_jis)$/.test(encoding)) return letters
  for (let lead = 0x81; lead < 0xff; lead++) for (let trail = 0x40; trail < 0xff; trail++) add(lead, trail)
  return letters
}
