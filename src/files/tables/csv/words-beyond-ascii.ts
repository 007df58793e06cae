// Finds words with characters beyond ASCII. Does so in a single pass, because a pattern that is tried at every position
// of a long token would take quadratic time. Pure.

const beyondAscii = /[^\0-\x7f]/g
const separators = /[\s,;|"()/<>=&]/

export interface PlacedWord {
  word: string
  /** Its position in the text. */
  at: number
}

/** Yields the words of `text`, split at white space and the usual separators, that contain a character beyond ASCII. */
export function* wordsBeyondAscii(text: string): Generator<PlacedWord> {
  const nonAscii = new RegExp(beyondAscii)
  const nextSeparator = new RegExp(separators, 'g')
  let last = 0
  for (;;) {
    const match = nonAscii.exec(text)
    if (!match) return
    // A no-break space is beyond ASCII too, but separates words.
    if (separators.test(match[0])) continue
    let from = match.index
    while (from > last && !separators.test(text[from - 1] as string)) from--
    nextSeparator.lastIndex = match.index
    last = nextSeparator.exec(text)?.index ?? text.length
    nonAscii.lastIndex = last
    yield { word: text.slice(from, last), at: from }
  }
}
