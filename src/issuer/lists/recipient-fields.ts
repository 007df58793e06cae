// Reads the recipient fields of a course from the service: the data that an invitation may or must contain for each
// person.

import type { z } from 'zod'
import type { Field } from '#src/domain/recipient/field.ts'
import type { Endpoint } from '../endpoint.ts'
import { readShape } from '../read-shape.ts'
import type { ServiceReader } from '../retrying-reader.ts'
import { routeTo } from '../routes.ts'
import { fieldListShape, type fieldShape } from '../wire-shapes.ts'

/** @throws ServiceRefusedError (404 for an unknown course) and the other errors of the reader */
export function openFields(endpoint: Endpoint, read: ServiceReader): (courseUuid: string) => Promise<Field[]> {
  return async (courseUuid) => {
    const { payload } = await read(endpoint, routeTo('field-list', courseUuid))
    const list = readShape(fieldListShape, payload, endpoint.name, 'payload')
    return Object.entries(list).map(([key, field]) => toField(key, field))
  }
}

function toField(key: string, field: z.output<typeof fieldShape>): Field {
  return {
    name: field.name ?? key,
    // Uses the payload's key rather than display_name, because invitations use the key according to the documentation.
    displayName: key,
    type: field.type ?? '',
    inputType: field.input_type ?? '',
    required: field.required ?? false,
    unique: field.unique ?? false,
    regex: field.regex ?? '',
    sampleValue: field.sample_value ?? '',
    maxLength: field.max_length,
    min: field.min,
    max: field.max,
    options: optionsOf(field),
  }
}

// It is not documented how a field lists the values of a drop-down; these are the usual keys for such lists.
const optionKeys = ['options', 'values', 'option_values', 'choices', 'list', 'data']

function optionsOf(field: Record<string, unknown>): string[] {
  const list = optionKeys.map((key) => field[key]).find((value) => Array.isArray(value))
  return Array.isArray(list) ? list.map(labelOf).filter((label) => label !== '') : []
}

function labelOf(option: unknown): string {
  if (typeof option === 'string' || typeof option === 'number') return String(option)
  if (typeof option !== 'object' || option === null) return ''
  const { value, name, label } = option as Record<string, unknown>
  return labelOf(value ?? name ?? label)
}
