// What is wrong with one value of one row, for the result file and the dry run.

import { maskShape, maskValue, speakShape } from './mask-value.ts'

export type ViolationRule =
  | 'required'
  | 'text'
  | 'error_cell'
  | 'number_lost_zeros'
  | 'max_length'
  | 'pattern'
  | 'option'
  | 'date'
  | 'min_date'
  | 'max_date'
  | 'primary_value'
  | 'unique'

export interface Violation {
  /** The row's number in its source, as the reader counts. */
  row: number
  /** The column of the file, or the field's name when its value is a constant of the configuration. */
  column: string
  /** The field's display name. */
  field: string
  rule: ViolationRule
  /** The value, masked. */
  value: string
  /** What is wrong and what to do; never contains the value. */
  sentence: string
}

/** A breach of a rule before it has a place: the rule and the two halves of its sentence. */
export interface Breach {
  rule: ViolationRule
  /** Continues "… (masked)": what is wrong, without a full stop. */
  wrong: string
  /** What to do, as a sentence. */
  remedy: string
}

/** The violation of a value in its place; `show` says how much of the value may be shown: a date, its shape alone. */
export function violation(
  place: { row: number; column: string; field: string },
  value: string,
  breach: Breach,
  show: 'mask' | 'shape' = 'mask',
): Violation {
  const [shown, spoken] =
    show === 'shape' ? [maskShape(value), speakShape(value)] : [maskValue(value), maskValue(value)]
  const subject = value === '' ? `“${place.column}” is empty` : `“${place.column}” holds ${spoken}`
  return { ...place, rule: breach.rule, value: shown, sentence: `${subject}, ${breach.wrong}. ${breach.remedy}` }
}
