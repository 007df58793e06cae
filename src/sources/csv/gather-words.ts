// The different words of a file that have letters beyond ASCII: by these a reading of it is judged, since a list repeats its town a
// thousand times.

import type { ByteSource } from '#src/sources/byte-source.ts'
import { wordsBeyondAscii } from './words-beyond-ascii.ts'

/** Each word with the first line of the text that has it, from 1; cells that run over several lines count all of theirs. */
export type WordLines = Map<string, number>

// More say nothing new about the encoding, and a file may be made of them.
const mostWords = 5_000
// Longer than names and addresses are. What is longer is told by its beginning.
const longestWord = 200
// A piece may end inside of a word; what comes after its last line end is looked at with the next one.
const longestRest = 65_536

/** The first words of `bytes` as `encoding` reads them. Throws what reading throws; bytes that do not fit count as �. */
export async function gatherWords(bytes: ByteSource, encoding: string): Promise<WordLines> {
  const decoder = new TextDecoder(encoding)
  const words: WordLines = new Map()
  let rest = ''
  let line = 1
  const add = (text: string) => {
    let counted = 0
    for (const { word, at } of wordsBeyondAscii(text)) {
      line += lineEnds(text.slice(counted, at))
      counted = at
      const known = word.slice(0, longestWord)
      if (!words.has(known)) words.set(known, line)
      if (words.size >= mostWords) return
    }
    line += lineEnds(text.slice(counted))
  }
  for await (const chunk of bytes.stream() as AsyncIterable<Buffer>) {
    const text = rest + decoder.decode(chunk, { stream: true })
    const end = text.lastIndexOf('\n') + 1
    const cut = end === 0 && text.length > longestRest ? text.length : end
    rest = text.slice(cut)
    add(text.slice(0, cut))
    if (words.size >= mostWords) return words
  }
  add(rest)
  return words
}

function lineEnds(text: string): number {
  return text.split('\n').length - 1
}
