// The table of kinds of damage: what makes a value unusable, whatever the course's list of fields says. A new kind is
// one entry. The tests run over the table, and docs/files.md is made from it. Pure.

import type { Breach } from '../violation.ts'
import type { DamageKind, FilledCell, Use } from './damage-kind.ts'
import { kindsInNames } from './kinds-in-names.ts'
import { kindsInText } from './kinds-in-text.ts'
import { isOtherwiseUsual } from './misread-letters.ts'

export const damageKinds: readonly DamageKind[] = [...kindsInText, ...kindsInNames]

/**
 * What is said of many rows, by rule: what is wrong, as the end of “112 rows: “Last Name” …”, and what to do. The first
 * kind of a rule counts.
 */
export const damageInWords: ReadonlyMap<string, { wrong: string; remedy: string }> = new Map(
  damageKinds
    .toReversed()
    .map(({ rule, wrong, remedy, ofMany = wrong.replace(/^which /, '') }) => [rule, { wrong: ofMany, remedy }]),
)

const kindsFor = (...uses: readonly DamageKind['use'][]) => damageKinds.filter(({ use }) => uses.includes(use))

// Nearly every value of most files consists of words or numbers like these, which have no kind of damage.
const letter = 'A-Za-zÀ-ÖØ-öø-ÿ'
const checks: Readonly<Record<Use, { kinds: readonly DamageKind[]; usual?: RegExp }>> = {
  name: {
    kinds: kindsFor('any', 'name'),
    usual: new RegExp(`^[${letter}]+(?:(?:[ '’-]|[.,] )[${letter}]+)*\\.?$`),
  },
  address: {
    kinds: kindsFor('any', 'address'),
    usual: /^[a-z\d]+(?:[._+-][a-z\d]+)*@(?!.*xn--)[a-z\d]+(?:[.-][a-z\d]+)*$/i,
  },
  text: {
    kinds: kindsFor('any', 'text'),
    usual: new RegExp(`^[${letter}0-9]+(?:(?:[ ’-]|[.,] ?)[${letter}0-9]+)*$`),
  },
  // Its text was checked before it was read as a date.
  'birth date': { kinds: kindsFor('birth date') },
}
const wordForNothing = /\b(?:null|undefined|nan|nil)\b/i

/**
 * Checks a filled value.
 * @param resting the rules that the operator lets rest for the column
 * @returns what is wrong with it, or null
 */
export function damageOf(cell: FilledCell, resting: readonly string[] = []): Breach | null {
  const { kinds, usual } = checks[cell.use]
  if (usual?.test(cell.value) && !wordForNothing.test(cell.value)) return null
  if (cell.use !== 'address' && isOtherwiseUsual.test(cell.value)) return null
  const found = kinds.find(
    (kind) =>
      !(cell.isOption && !kind.evenInOptions) && (kind.neverRests || !resting.includes(kind.rule)) && kind.finds(cell),
  )
  return found ? { rule: found.rule, wrong: found.wrong, remedy: found.remedy } : null
}
