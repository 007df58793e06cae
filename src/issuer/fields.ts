// The recipient fields of a course: what an invitation to it may and must say about each person.

import type { z } from 'zod'
import type { Endpoint } from './endpoint.ts'
import { readShape } from './read-shape.ts'
import type { Reader } from './reader.ts'
import { routeTo } from './routes.ts'
import { fieldListShape, type fieldShape } from './wire.ts'

export interface RecipientField {
  /** The service's internal name, such as email_. */
  name: string
  /** The key under which an invitation sends it, such as Email. */
  displayName: string
  type: string
  /** text, drop-down or date-picker. */
  inputType: string
  required: boolean
  unique: boolean
  /** The service's pattern; empty when there is none. Written by someone else: run it in a linear-time engine. */
  regex: string
  sampleValue: string
  maxLength: number | null
  /** Present on date fields; documented as a number, whose meaning is not. */
  min: number | string | null
  max: number | string | null
  /** The values to choose from; empty when the descriptor lists none. */
  options: string[]
}

/** Throws ServiceRefusedError (404 for an unknown course) and what else Reader throws. */
export function openFields(endpoint: Endpoint, read: Reader): (courseUuid: string) => Promise<RecipientField[]> {
  return async (courseUuid) => {
    const { payload } = await read(endpoint, routeTo('field-list', courseUuid))
    const list = readShape(fieldListShape, payload, endpoint.name, 'payload')
    return Object.entries(list).map(([key, field]) => toField(key, field))
  }
}

function toField(key: string, field: z.output<typeof fieldShape>): RecipientField {
  return {
    name: field.name ?? key,
    // The payload's key, not display_name: it is what the invitation is documented to be keyed by.
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

// Drop-downs are documented without their values; these are the keys under which such lists usually come.
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
