// Extracts the service's message from an answer, for logs and the ledger: short, on one line, and without recognizable
// personal data. Pure.

import type { Secret } from '#src/platform/secret.ts'

const maxLength = 300
// Masking takes longer for longer text, and a service may echo the whole request, so only this much is examined.
const maxExaminedLength = 4_000

/**
 * Returns the message in an answer's body, masked and cut to 300 characters; empty if the body has none, as with HTML.
 * @param sentSecrets secrets to remove, because some services repeat what they were sent
 */
export function serviceMessage(text: string, sentSecrets: readonly Secret[] = []): string {
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch {
    // An HTML page contains names of servers and versions, but no reasons.
    return /^\s*[<{[]/.test(text) ? '' : maskWords(withoutSecrets(text, sentSecrets))
  }
  return maskWords(withoutSecrets(messageIn(body), sentSecrets))
}

// Anything shorter is not a secret, and would match inside words.
const minSecretLength = 4

/**
 * Removes the secrets, including their JSON-escaped and URL-encoded forms. The longest is removed first, because one
 * may contain another.
 */
function withoutSecrets(text: string, sentSecrets: readonly Secret[]): string {
  return sentSecrets
    .map((sentSecret) => sentSecret.reveal())
    .filter((each) => each.length >= minSecretLength)
    .flatMap((each) => [each, JSON.stringify(each).slice(1, -1), encodeURIComponent(each.toWellFormed())])
    .sort((a, b) => b.length - a.length)
    .reduce((rest, each) => rest.replaceAll(each, '[secret]'), text)
}

/** Removes control characters, e-mail addresses, long numbers and token-like runs; at most 300 characters remain. */
export function maskWords(text: string): string {
  return text
    .slice(0, maxExaminedLength)
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .replace(/[^\s@<>"'(),;:]{0,128}@[^\s@<>"'(),;:]+/g, '[e-mail]')
    .replace(/[\w.~+/=-]{40,}/g, '[long text]')
    .replace(/\+?\d[\d ().-]{4,}\d/g, '[number]')
    .trim()
    .slice(0, maxLength)
    .toWellFormed()
}

// The format of error bodies is not documented; these keys usually contain the message.
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
