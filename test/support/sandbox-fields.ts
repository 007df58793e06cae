// The fields of the sandbox's courses as the client parses them.

import { recipientFields } from '#sandboxes/service/recipient-fields.ts'
import type { Field } from '#src/domain/recipient/field.ts'

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
