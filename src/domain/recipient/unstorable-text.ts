// Rejects values that no field accepts: text with lost letters or with characters that no one typed on purpose. Pure.

import type { Breach } from './violation.ts'

/** @returns the reasons why a filled value cannot be sent */
export function unstorableText(value: string): Breach[] {
  // NUL cannot be stored. U+FFFD and unpaired surrogates replace letters that were lost earlier, and JSON cannot carry
  // an unpaired surrogate.
  if (/[\0\uFFFD]/.test(value) || !value.isWellFormed()) {
    const wrong = 'which has characters that another program damaged'
    return [{ rule: 'text', wrong, remedy: 'Type the value again, or declare the encoding of the file.' }]
  }
  const breaches: Breach[] = []
  if (/<span\b[^<>]*\bmultilang\b|<lang\b|\{\s*mlang\b/i.test(value)) {
    const wrong = 'which is written in several languages, with the tags by which a Moodle site selects one of them'
    const remedy =
      'Set the language of the system to one that the value contains (systems: NAME: { language: de }), or write the value in one language.'
    breaches.push({ rule: 'several_languages', wrong, remedy })
  }
  if (/\p{Cc}/u.test(value)) breaches.push({ rule: 'control_character', ...controlCharacter(value) })
  return breaches
}

function controlCharacter(value: string): Omit<Breach, 'rule'> {
  if (/[\n\r]/.test(value)) return { wrong: 'which has several lines', remedy: 'Write the value on one line.' }
  if (value.includes('\t')) return { wrong: 'which contains a tab', remedy: 'Replace the tab with a space.' }
  // Most often the text was Windows-1252 and was read as Latin-1: a curly quote or a dash became U+0092 or U+0096.
  const wrong = 'which contains an invisible control character'
  return { wrong, remedy: 'Type the value again, or declare the encoding of the file.' }
}
