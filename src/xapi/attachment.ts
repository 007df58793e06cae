// What a statement says of the files that go with it (xAPI 1.0.3, Data 2.4.11).

import { type Check, listOf, numberThat, record } from './check.ts'
import { iri, languageMap, mediaType, sha2 } from './formats.ts'
import { isObject, type Json, type JsonObject } from './json.ts'

const attachment: Check = record({
  required: {
    usageType: iri,
    display: languageMap,
    contentType: mediaType,
    length: numberThat((value) => Number.isSafeInteger(value) && value >= 0, 'must be a whole number of octets'),
    sha2,
  },
  optional: { description: languageMap, fileUrl: iri },
})

export const attachments: Check = listOf(attachment)

/** Every attachment that checked statements name, those of a SubStatement included. */
export function attachmentsOf(statement: JsonObject): JsonObject[] {
  const object = statement.object
  const own: Json[] = Array.isArray(statement.attachments) ? statement.attachments : []
  const nested = isObject(object) && object.objectType === 'SubStatement' ? attachmentsOf(object) : []
  return [...own.filter(isObject), ...nested]
}
