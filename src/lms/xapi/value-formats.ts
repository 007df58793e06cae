// Validates single values that occur in several parts of a statement (xAPI 1.0.3, Data 2.4 and 4). Pure.

import { isUuid } from '#src/platform/uuid.ts'
import { isObject } from './json.ts'
import { isLanguageTag } from './language-tag.ts'
import { StatementFault, textThat, textValue, type ValueCheck } from './value-checks.ts'

// A best-effort check, as Data 2.2 allows: a scheme, and none of the characters that RFC 3987 forbids.
const iriForm = /^[A-Za-z][A-Za-z0-9+.-]*:[^\s<>"{}|\\^`\p{Cc}]+$/u
const mediaTypeForm = /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+\s*(?:;.*)?$/

export const iri = textThat((value) => iriForm.test(value), 'must be an IRI with its scheme')
export const uuid = textThat(isUuid, 'must be a UUID in its standard form')
export const mailbox = textThat(
  (value) => /^mailto:[^\s@<>]+@[^\s@<>]+$/.test(value),
  'must be "mailto:" and an e-mail address',
)
export const sha1 = textThat((value) => /^[0-9a-f]{40}$/i.test(value), 'must be a SHA-1 hash, 40 hexadecimal digits')
export const sha2 = textThat(
  (value) => /^[0-9a-f]+$/i.test(value) && [56, 64, 96, 128].includes(value.length),
  'must be a SHA-2 hash in hexadecimal digits',
)
export const mediaType = textThat((value) => mediaTypeForm.test(value), 'must be an Internet media type')
export const language = textThat(isLanguageTag, 'must be an RFC 5646 language tag')

/**
 * At least one language tag, each with a string. Tags are text from the sender, so the message does not contain them.
 */
export const languageMap: ValueCheck = (value, path) => {
  if (!isObject(value)) throw new StatementFault(path, 'must be a language map, an object')
  const entries = Object.entries(value)
  if (entries.length === 0) throw new StatementFault(path, 'must have at least one language')
  for (const [tag, text] of entries) {
    if (!isLanguageTag(tag)) throw new StatementFault(path, 'has a key that is not an RFC 5646 language tag')
    textValue(text, `${path} in one language`)
  }
}

/** Keys must be IRIs; a statement is never refused because of the values (Data 4.1). */
export const extensions: ValueCheck = (value, path) => {
  if (!isObject(value)) throw new StatementFault(path, 'must be an object')
  if (!Object.keys(value).every((key) => iriForm.test(key)))
    throw new StatementFault(path, 'has a key that is not an IRI with its scheme')
}
