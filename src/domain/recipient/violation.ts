// Describes what is wrong with one value of one row, for the results file and the dry run. Pure.

import { describeShape, maskShape, maskValue } from './mask-value.ts'

export type ViolationRule =
  | 'required'
  | 'text'
  | 'control_character'
  | 'error_cell'
  | 'number_lost_zeros'
  | 'number_shortened'
  | 'number_format'
  | 'date_cell'
  | 'boolean_cell'
  | 'quotation_mark'
  | 'apostrophe'
  | 'several_languages'
  | 'formula'
  | 'damaged_letters'
  | 'markup'
  | 'escaped'
  | 'placeholder'
  | 'nothing'
  | 'enclosed'
  | 'no_letter'
  | 'unusual_character'
  | 'birth_date'
  // A row that was submitted again although it was not fixed. The id is a contract: it is in results files and --json.
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
  /** The number of the row in its source, as people count rows. */
  row: number
  /** The title of the column, or the field's name if its value is a constant of the configuration. */
  column: string
  /** The field's display name. */
  field: string
  rule: ViolationRule
  /** The masked value. */
  value: string
  /** What is wrong and what to do; never contains the value. */
  sentence: string
}

/** A broken rule without its location: the rule and the two halves of its sentence. */
export interface Breach {
  rule: ViolationRule
  /** What is wrong, as a clause that continues “Column holds (masked value), …”, without a full stop. */
  wrong: string
  /** What to do, as a sentence. */
  remedy: string
}

/** The location of a violation. */
export interface ViolationPlace {
  row: number
  column: string
  field: string
}

/**
 * Makes the violation of a value at its location.
 * @param masking how the value is masked; `shape` is for dates
 */
export function violation(
  place: ViolationPlace,
  value: string,
  breach: Breach,
  masking: 'mask' | 'shape' = 'mask',
): Violation {
  const { row, column, field } = place
  const [masked, described] =
    masking === 'shape' ? [maskShape(value), describeShape(value)] : [maskValue(value), maskValue(value)]
  const subject = value === '' ? `“${column}” is empty` : `“${column}” holds ${described}`
  const sentence = `${subject}, ${breach.wrong}. ${breach.remedy}`
  return { row, column, field, rule: breach.rule, value: masked, sentence }
}
