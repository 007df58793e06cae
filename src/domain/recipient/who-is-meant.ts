// Decides by the pipeline's setting `where` which rows of a file are meant, and whether a number in a workbook means
// what the sheet shows or what it stores. In memory only.

import { errorCell, isSpreadsheetError } from './cell-breach.ts'
import { cleanText } from './clean-text.ts'
import { damageOf } from './damage/damage-kinds.ts'
import { maskValue } from './mask-value.ts'
import { nearestTitle } from './nearest-name.ts'
import type { RowToCheck } from './row-to-check.ts'
import { isFormula, textInFormula } from './text-formula.ts'
import { type Breach, violation } from './violation.ts'

/** The values that count, by the title of their column. If `any` is among them, all values of the column count. */
export type Where = Readonly<Record<string, readonly string[]>>

/** The rule under which a row that is not meant is staged. Such a row is skipped, not invalid. */
export const whereRule = 'where'

export interface WherePlan {
  /** The positions of the columns that decide. */
  columns: readonly number[]
  /** Sentences about columns that the file lacks. */
  faults: readonly string[]
  /**
   * @returns null if the row is meant; otherwise a violation of `where`, or of the rule that the deciding cell breaks
   */
  violationOf(row: RowToCheck): object | null
  /**
   * Says how many rows were not meant so far, by the values of their cells, because the setting may lack a value that
   * counts.
   */
  notices(): string[]
}

/** Only this many different values are counted separately. */
const maxValues = 12

/** @param titles the cleaned titles of the columns */
export function planWhere(where: Where, titles: readonly string[]): WherePlan {
  const sought = decidingColumns(where).map((each) => ({ ...each, index: titles.indexOf(each.column) }))
  const found = sought
    .filter(({ index }) => index >= 0)
    .map(({ values, ...of }) => ({
      ...of,
      folded: new Set(values.map(folded)),
      listed: values.map((value) => value || 'empty').join(' or '),
    }))
  const counts = new Map<string, number>()
  const count = (why: string) => {
    const kind = counts.has(why) || counts.size < maxValues ? why : 'another value'
    counts.set(kind, (counts.get(kind) ?? 0) + 1)
  }
  return {
    columns: found.map(({ index }) => index),
    faults: sought.filter(({ index }) => index < 0).map(({ column }) => columnMissing(column, titles)),
    violationOf({ row, cells, kinds }) {
      for (const { column, index, folded: accepted, listed } of found) {
        const [cell, kind] = [cells[index] ?? '', kinds?.[index]]
        const value = textInFormula(cleanText(cell))
        // The setting may give a number as the sheet shows it, or as it is stored.
        if (accepted.has(folded(value)) || accepted.has(folded(readShownNumber(value, kind, () => true).text))) continue
        const place = { row, column, field: column }
        if (kind === 'error' || isSpreadsheetError(value)) return violation(place, value, errorCell)
        const breach = isFormula(value) && damageOf({ ...asText, value, kind })
        if (breach) return violation(place, value, breach)
        count(`“${column}” is ${shown(value)}`)
        return { ...place, rule: whereRule, value: '', sentence: `not meant: “${column}” is not ${listed}` }
      }
      return null
    },
    notices() {
      const reasons = [...counts].sort(([, a], [, b]) => b - a).map(([why, rows]) => `${rows} (${why})`)
      return reasons.length > 0 ? [`Rows that are not meant: ${reasons.join(', ')}.`] : []
    },
  }
}

/** Lists the columns that decide: those without `any`. */
export function decidingColumns(where: Where): { column: string; values: readonly string[] }[] {
  return Object.entries(where)
    .filter(([, values]) => !values.map(folded).includes('any'))
    .map(([name, values]) => ({ column: cleanText(name), values }))
}

/** @returns whether the setting names the column */
export function namesColumn(where: Where, title: string): boolean {
  return Object.keys(where).some((name) => cleanText(name) === title)
}

const folded = (text: string) => cleanText(text).toLowerCase()
/** Masks a value, except a word or a small number, which identifies nobody. */
const shown = (value: string) => (/^(?:[\p{L} ]{0,20}|\d{1,3}%?)$/u.test(value) ? value || 'empty' : maskValue(value))
const asText = { use: 'text', fromColumn: true, isOption: false } as const

function columnMissing(column: string, titles: readonly string[]): string {
  const near = nearestTitle(column, titles)
  const guess = near ? `Did you mean “${near}”?` : 'Check the column names, and the spelling under where.'
  return `There is no column “${column}”, by which where decides who is meant. ${guess}`
}

interface ShownCell {
  text: string
  /** The kind, with `number` for every kind of number. */
  kind: string | undefined
  breach: Breach | null
}

/**
 * Decides what the number of a workbook's cell means for a field. A field that takes a number, a date or exactly this
 * option gets the number that is stored; any other field gets the text that the sheet shows.
 * @param kind `number:0.85` if `text` shows that number differently; `unshown` if it is not certain what is shown
 */
export function readShownNumber(
  text: string,
  kind: string | undefined,
  takesStored: (stored: string) => boolean,
): ShownCell {
  const stored = kind === 'unshown' ? text : kind?.startsWith('number:') ? kind.slice('number:'.length) : undefined
  if (stored === undefined) return { text, kind, breach: null }
  if (takesStored(stored)) return { text: stored, kind: 'number', breach: null }
  return { text, kind: 'number', breach: kind === 'unshown' ? unshown : null }
}

const unshown: Breach = {
  rule: 'number_format',
  wrong: 'which the spreadsheet shows in a way that credsync cannot repeat exactly',
  remedy: 'Format the cell as text and enter the value again.',
}
