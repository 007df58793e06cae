// What is wrong with one value of one row, for the result file and the dry run.

import { maskShape, maskValue, speakShape } from './mask-value.ts'

export type ViolationRule =
  | 'required'
  | 'example'
  | 'text'
  | 'control_character'
  | 'error_cell'
  | 'number_lost_zeros'
  | 'number_shortened'
  | 'date_cell'
  | 'boolean_cell'
  | 'quotation_mark'
  | 'apostrophe'
  | 'formula'
  | 'damaged_letters'
  | 'not_mended'
  | 'max_length'
  | 'email'
  | 'pattern'
  | 'option'
  | 'date'
  | 'min_date'
  | 'max_date'
  | 'min_number'
  | 'max_number'
  | 'primary_value'
  | 'unique'
  | 'identity'
  | 'person_twice'
  | 'image'

export interface Violation {
  /** The row's number in its source, as the reader counts. */
  row: number
  /** The column of the file, or the field's name when its value is a constant of the configuration. */
  column: string
  /** The letters that a spreadsheet shows above the column; only of a workbook's column. */
  letters?: string
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

/** Where a violation is. */
export interface ViolationPlace {
  row: number
  column: string
  letters?: string | undefined
  field: string
}

/** The violation of a value in its place; `show` says how much of the value may be shown: a date, its shape alone. */
export function violation(
  place: ViolationPlace,
  value: string,
  breach: Breach,
  show: 'mask' | 'shape' = 'mask',
): Violation {
  const { row, column, letters, field } = place
  const [shown, spoken] =
    show === 'shape' ? [maskShape(value), speakShape(value)] : [maskValue(value), maskValue(value)]
  const cell = letters ? `“${column}” (column ${letters})` : `“${column}”`
  const subject = value === '' ? `${cell} is empty` : `${cell} holds ${spoken}`
  const sentence = `${subject}, ${breach.wrong}. ${breach.remedy}`
  return { row, column, ...(letters ? { letters } : {}), field, rule: breach.rule, value: shown, sentence }
}
