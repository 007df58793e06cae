// Collects the distinct words of a file that have characters beyond ASCII, which show whether the encoding is right.
// Only distinct words count, because a list may repeat the name of a town a thousand times. Reads the whole file.

import type { ByteSource } from '#src/files/tables/byte-source.ts'
import { wordsBeyondAscii } from './words-beyond-ascii.ts'

/** The number of the first line that contains each word, counted from 1. Every line of a multi-line cell counts. */
export type WordLines = Map<string, number>

// Limited, because more words show no more about the encoding, and a file may consist of such words only.
const maxWords = 5_000
// Longer words are cut; names and addresses are shorter.
const maxWordLength = 200
// A piece may end inside a word, so the part after its last line end is checked with the next piece, up to this length.
const maxRestLength = 65_536

/** Collects the first words of `bytes`, decoded as `encoding`. Invalid bytes become �. Throws the errors of reading. */
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
      const shortened = word.slice(0, maxWordLength)
      if (!words.has(shortened)) words.set(shortened, line)
      if (words.size >= maxWords) return
    }
    line += lineEnds(text.slice(counted))
  }
  for await (const chunk of bytes.stream() as AsyncIterable<Buffer>) {
    const text = rest + decoder.decode(chunk, { stream: true })
    const end = text.lastIndexOf('\n') + 1
    const cut = end === 0 && text.length > maxRestLength ? text.length : end
    rest = text.slice(cut)
    add(text.slice(0, cut))
    if (words.size >= maxWords) return words
  }
  add(rest)
  return words
}

function lineEnds(text: string): number {
  return text.split('\n').length - 1
}
