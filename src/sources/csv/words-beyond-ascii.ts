// Words with letters beyond ASCII, in one pass: a pattern that tries each place of a long token anew takes the square of its length. Pure.

const beyondAscii = /[^\0-\x7f]/g
const ends = /[\s,;|"()/<>=&]/

export interface PlacedWord {
  word: string
  /** Where in the text it begins. */
  at: number
}

/** The words of `text`, between white space and the usual separators, that hold a character beyond ASCII. */
export function* wordsBeyondAscii(text: string): Generator<PlacedWord> {
  const found = new RegExp(beyondAscii)
  const end = new RegExp(ends, 'g')
  let last = 0
  for (;;) {
    const match = found.exec(text)
    if (!match) return
    // A no-break space is one of them, and stands between words.
    if (ends.test(match[0])) continue
    let from = match.index
    while (from > last && !ends.test(text[from - 1] as string)) from--
    end.lastIndex = match.index
    last = end.exec(text)?.index ?? text.length
    found.lastIndex = last
    yield { word: text.slice(from, last), at: from }
  }
}
