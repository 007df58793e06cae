// Maps characters to bytes for the code pages in which programs read UTF-8 by mistake, or write names. Each map is made
// when it is first needed, and kept in memory.

/** Gives the one or two bytes of each character, as a number. */
export type CodePage = ReadonlyMap<string, number>

// The Encoding Standard has no DOS code pages, so their upper halves are listed here.
const ofDos = [
  // 437
  'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00a0',
  // 850
  'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐└┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u00ad±‗¾¶§÷¸°¨·¹³²■\u00a0',
  // 852
  'ÇüéâäůćçłëŐőîŹÄĆÉĹĺôöĽľŚśÖÜŤťŁ×čáíóúĄąŽžĘę¬źČş«»░▒▓│┤ÁÂĚŞ╣║╗╝Żż┐└┴┬├─┼Ăă╚╔╩╦╠═╬¤đĐĎËďŇÍÎě┘┌█▄ŢŮ▀ÓßÔŃńňŠšŔÚŕŰýÝţ´\u00ad˝˛ˇ˘§÷¸°¨˙űŘř■\u00a0',
]

const ofOneByte = [
  ...['1252', '1250', '1251', '1253', '1254', '1255', '1256', '1257', '1258', '874'].map((page) => `windows-${page}`),
  ...['macintosh', 'x-mac-cyrillic', 'koi8-r', 'ibm866', 'iso-8859-2', 'iso-8859-5', 'iso-8859-7'],
]
const ofTwoBytes = ['gbk', 'big5', 'shift_jis', 'euc-kr']

let pages: readonly CodePage[] | undefined

export function codePages(): readonly CodePage[] {
  pages ??= [
    ...ofOneByte.map((label) => decoded(label, highBytes)),
    ...ofDos.map((upper) => new Map([...upper].map((character, at) => [character, 0x80 + at]))),
    ...ofTwoBytes.map((label) => new Map([...decoded(label, highBytes), ...decoded(label, bytePairs)])),
  ]
  return pages
}

/** @returns null if the page lacks a character of the text */
export function bytesIn(page: CodePage, text: string): number[] | null {
  const bytes: number[] = []
  for (const character of text) {
    const code = character < '\x80' ? character.charCodeAt(0) : page.get(character)
    if (code === undefined) return null
    if (code > 255) bytes.push(code >> 8, code & 255)
    else bytes.push(code)
  }
  return bytes
}

const highBytes = Array.from({ length: 128 }, (_, at) => 0x80 + at)
const bytePairs = highBytes.flatMap((lead) => Array.from({ length: 0xbf }, (_, at) => lead * 256 + 0x40 + at))

function decoded(label: string, codes: readonly number[]): Map<string, number> {
  const decoder = new TextDecoder(label, { fatal: true })
  const page = new Map<string, number>()
  for (const code of codes) {
    try {
      const character = decoder.decode(Uint8Array.from(code < 256 ? [code] : [code >> 8, code & 255]))
      if ([...character].length === 1 && !page.has(character)) page.set(character, code)
    } catch {
      // The page has no such character.
    }
  }
  return page
}
