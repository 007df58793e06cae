// Neutralizes characters that control a terminal. Pure.

import { oneLine } from '#src/platform/text.ts'

/** Removes control characters from a string of several lines, but keeps its line ends and indentation. */
export function terminalSafeText(text: string): string {
  return text.replace(/(?![\n\t])[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu, ' ')
}

/** Keeps the indentation of the line and turns the rest into one line, so that text from outside cannot add lines. */
export function indentedLine(line: string): string {
  return `${/^ */.exec(line)?.[0]}${oneLine(line)}`
}
