// The field list of the sandbox's courses, as the client makes it of the wire.

import type { Field } from '#src/recipients/field.ts'
import { recipientFields } from '#src/sandbox/recipient-fields.ts'

export const sandboxFields: Field[] = recipientFields.map((field) => ({
  name: field.name,
  displayName: field.display_name,
  type: field.type,
  inputType: field.input_type,
  required: field.required,
  unique: field.unique,
  regex: field.regex,
  sampleValue: field.sample_value,
  maxLength: field.max_length ?? null,
  min: field.min ?? null,
  max: field.max ?? null,
  options: [],
}))
