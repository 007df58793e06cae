// The table of kinds of damage: what makes a value unusable, whatever the course's list of fields says. A new kind is
// one entry. The tests run over the table, and docs/files.md is made from it. Pure.

import type { Breach } from '../violation.ts'
import type { DamageKind, FilledCell } from './damage-kind.ts'
import { kindsInNames } from './kinds-in-names.ts'
import { kindsInText } from './kinds-in-text.ts'
import { isOtherwiseUsual } from './misread-letters.ts'

export const damageKinds: readonly DamageKind[] = [...kindsInText, ...kindsInNames]

const [ofDates, ofTexts] = [true, false].map((isDate) =>
  damageKinds.filter(({ use }) => (use === 'birth date') === isDate),
)

// Nearly every value of most files is of words or numbers like these, in which no kind of damage is found.
const letter = 'A-Za-zÀ-ÖØ-öø-ÿ'
const plainWords = new RegExp(`^[${letter}]+(?:(?:[ '’-]|[.,] )[${letter}]+)*\\.?$`)
const plainText = new RegExp(`^[${letter}0-9]+(?:(?:[ ’-]|[.,] ?)[${letter}0-9]+)*$`)
const plainAddress = /^[a-z\d]+(?:[._+-][a-z\d]+)*@(?!.*xn--)[a-z\d]+(?:[.-][a-z\d]+)*$/i
const wordForNothing = /\b(?:null|undefined|nan|nil)\b/i

/**
 * Judges a filled value.
 * @param resting the rules that the operator lets rest for the column
 * @returns what is wrong with it, or null
 */
export function damageOf(cell: FilledCell, resting: readonly string[] = []): Breach | null {
  const plain =
    cell.use === 'name' ? plainWords : cell.use === 'text' ? plainText : cell.use === 'address' ? plainAddress : null
  if (plain?.test(cell.value) && !wordForNothing.test(cell.value)) return null
  if (cell.use !== 'address' && isOtherwiseUsual.test(cell.value)) return null
  const kinds = cell.use === 'birth date' ? ofDates : ofTexts
  const found = kinds?.find(
    (kind) =>
      (kind.use === 'any' || kind.use === cell.use) &&
      !(cell.isOption && !kind.evenInOptions) &&
      !(kind.mayRest && resting.includes(kind.rule)) &&
      kind.finds(cell),
  )
  return found ? { rule: found.rule, wrong: found.wrong, remedy: found.remedy } : null
}
