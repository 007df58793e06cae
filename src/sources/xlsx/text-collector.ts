// Joins the text of one cell or shared string: plain, or in runs of different looks.

import type { Refuse } from '#src/sources/source-error.ts'
import type { SourceLimits } from '#src/sources/source-limits.ts'
import type { XmlVisitor } from './xml-visitor.ts'

export interface TextCollector extends Required<Pick<XmlVisitor, 'text'>> {
  /** Called for every element; only `t` counts, and not the reading aids (`rPh`) that stand beside East Asian text. */
  open(name: string, parent: string): void
  close(name: string): void
  /** Gives the text so far, unescaped, and begins anew. Throws SourceError above the limit of a cell. */
  take(): string
  /** Begins anew: texts also stand in places where nobody takes them, and would become part of the next one. */
  drop(): void
}

// One character can be written with seven (`_x000D_`).
const longestEscape = 7
const escapes = /_x([0-9A-Fa-f]{4})_/g

export function collectText(limits: SourceLimits, refuse: Refuse): TextCollector {
  let text = ''
  let inside = false
  const tooLong = () =>
    refuse('limit', `A cell of the workbook is longer than ${limits.cellCharacters} characters, the limit. Shorten it.`)
  return {
    open(name, parent) {
      inside = name === 't' && parent !== 'rPh'
    },
    text(piece) {
      if (!inside) return
      text += piece
      if (text.length > limits.cellCharacters * longestEscape) throw tooLong()
    },
    close(name) {
      if (name === 't') inside = false
    },
    drop() {
      text = ''
    },
    take() {
      const whole = unescapeText(text)
      text = ''
      if (whole.length > limits.cellCharacters) throw tooLong()
      return whole
    },
  }
}

/** `_x000D_` is a carriage return; `_x005F_` is the underscore that protects text which only looks like an escape. */
export function unescapeText(text: string): string {
  if (!text.includes('_x')) return text
  return text.replace(escapes, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
}
