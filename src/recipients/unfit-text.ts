// Values that no service takes, whatever the field: letters that were lost, and signs that nobody meant to write.

import type { Breach } from './violation.ts'

/** What makes a filled value unfit to be sent at all, if anything. */
export function unfitText(value: string): Breach | null {
  // NUL can't be stored; U+FFFD and halves of surrogate pairs stand where somebody's letters were lost on the way here, and JSON
  // has no way to carry such a half.
  if (/[\0\uFFFD]/.test(value) || !value.isWellFormed()) {
    const wrong = 'which has characters that were damaged on the way into the file'
    return { rule: 'text', wrong, remedy: 'Type the value again, or declare the encoding of the file.' }
  }
  if (!/\p{Cc}/u.test(value)) return null
  if (/[\n\r]/.test(value))
    return { rule: 'control_character', wrong: 'which runs over several lines', remedy: 'Write it in one line.' }
  if (value.includes('\t'))
    return { rule: 'control_character', wrong: 'which has a tab in it', remedy: 'Put a space instead of the tab.' }
  // Most often those of Windows-1252 read as Latin-1: a curly quote or a dash that became U+0092 or U+0096.
  const wrong = 'which has a control character in it, a sign that is not shown'
  return { rule: 'control_character', wrong, remedy: 'Type the value again, or declare the encoding of the file.' }
}
