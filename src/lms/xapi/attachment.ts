// Validates the attachment descriptions in a statement (xAPI 1.0.3, Data 2.4.11). Pure.

import { isObject, type Json, type JsonObject } from './json.ts'
import { listOf, numberThat, record, type ValueCheck } from './value-checks.ts'
import { iri, languageMap, mediaType, sha2 } from './value-formats.ts'

const attachment: ValueCheck = record({
  required: {
    usageType: iri,
    display: languageMap,
    contentType: mediaType,
    length: numberThat((value) => Number.isSafeInteger(value) && value >= 0, 'must be a whole number of octets'),
    sha2,
  },
  optional: { description: languageMap, fileUrl: iri },
})

export const attachments: ValueCheck = listOf(attachment)

/** Returns all attachment descriptions of a validated statement, including those of a SubStatement. */
export function attachmentsOf(statement: JsonObject): JsonObject[] {
  const object = statement.object
  const own: Json[] = Array.isArray(statement.attachments) ? statement.attachments : []
  const nested = isObject(object) && object.objectType === 'SubStatement' ? attachmentsOf(object) : []
  return [...own.filter(isObject), ...nested]
}
