import type { TableReading } from '#src/files/tables/source-limits.ts'
import type { XmlVisitor } from './walk-xml.ts'

export interface TextCollector extends Required<Pick<XmlVisitor, 'text'>> {
  /**
   * To be called for every element. Only the text in `t` is collected, and nothing below `rPh` or `phoneticPr`: the
   * reading of East Asian text is not part of it.
   */
  open(name: string): void
  close(name: string): void
  /** Returns the unescaped text that was collected, and resets. @throws SourceError above the limit of a cell */
  take(): string
  /**
   * Resets without returning the text. Needed for text that is not used, which would become part of the next text.
   */
  drop(): void
}

// The length of an escape for one character (`_x000D_`).
const escapeLength = 7
const escapes = /_x([0-9A-Fa-f]{4})_/g

export function collectText({ limits, refuse }: TableReading): TextCollector {
  let text = ''
  let inside = false
  let belowReading = 0
  const tooLong = () =>
    refuse(
      'limit',
      `A cell of the workbook is longer than the limit of ${limits.cellCharacters} characters. Shorten the cell.`,
    )
  return {
    open(name) {
      if (isReading(name)) belowReading++
      inside = name === 't' && belowReading === 0
    },
    text(piece) {
      if (!inside) return
      text += piece
      if (text.length > limits.cellCharacters * escapeLength) throw tooLong()
    },
    close(name) {
      if (isReading(name)) belowReading--
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

function isReading(name: string): boolean {
  return name === 'rPh' || name === 'phoneticPr'
}

/**
 * Resolves the escapes of the format: `_x000D_` is a carriage return, and `_x005F_` is an underscore that protects
 * text that only looks like an escape.
 */
export function unescapeText(text: string): string {
  if (!text.includes('_x')) return text
  return text.replace(escapes, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
}
