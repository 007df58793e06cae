// The service's own words out of an answer, fit for logs and ledger: short, on one line, without personal data we can recognise.

import type { Secret } from './secret.ts'

const longest = 300
// Masking a text costs time by its length, and a service may echo the whole request back.
const read = 4_000

/**
 * The message in an answer's body, masked and cut to 300 characters; empty when the body has none (HTML, no JSON).
 * @param confidences texts that must not be told, however short they are: some services answer with what they were sent
 */
export function wordsOf(text: string, confidences: readonly Secret[] = []): string {
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch {
    // A page of HTML names servers and versions, not reasons.
    return /^\s*[<{[]/.test(text) ? '' : maskWords(withoutSecrets(text, confidences))
  }
  return maskWords(withoutSecrets(messageIn(body), confidences))
}

// What is shorter is no secret, and would be found inside of words.
const shortestSecret = 4

/** Also as JSON or an address would write them. The longest first, for one may be part of another. */
function withoutSecrets(text: string, confidences: readonly Secret[]): string {
  return confidences
    .map((each) => each.reveal())
    .filter((each) => each.length >= shortestSecret)
    .flatMap((each) => [each, JSON.stringify(each).slice(1, -1), encodeURIComponent(each.toWellFormed())])
    .sort((a, b) => b.length - a.length)
    .reduce((left, each) => left.replaceAll(each, '[secret]'), text)
}

/** `text` without control characters, e-mail addresses, long numbers and token-like runs; at most 300 characters. */
export function maskWords(text: string): string {
  return text
    .slice(0, read)
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .replace(/[^\s@<>"'(),;:]{0,128}@[^\s@<>"'(),;:]+/g, '[e-mail]')
    .replace(/[\w.~+/=-]{40,}/g, '[long text]')
    .replace(/\+?\d[\d ().-]{4,}\d/g, '[number]')
    .trim()
    .slice(0, longest)
    .toWellFormed()
}

// The shape of error bodies is not documented; these are the places where services put a sentence.
function messageIn(body: unknown): string {
  if (typeof body === 'string') return body
  if (Array.isArray(body)) return body.slice(0, 5).map(messageIn).filter(Boolean).join('; ')
  if (typeof body !== 'object' || body === null) return ''
  const fields = body as Record<string, unknown>
  for (const key of ['message', 'error', 'errors', 'error_description', 'detail', 'title']) {
    const found = messageIn(fields[key])
    if (found) return found
  }
  return ''
}
