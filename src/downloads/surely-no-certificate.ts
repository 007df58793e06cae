// What came in place of a certificate under HTTP 200: nothing, the JSON of a service under maintenance, the login page of something in between.
// The form of a certificate is not documented, so only what it can surely not be is told, by the bytes; whatever the content type says.

/** XML's declaration and comments may stand before. An SVG is no page. */
const page = /^\ufeff?\s*(<\?xml[^>]*>\s*)?(<!--[\s\S]*?-->\s*)*<(!doctype\s+html|html|head|body)[\s>]/i
/** What may stand behind the first bracket of a JSON document, and hardly of anything else. */
const begunJson = /^\ufeff?\s*(\{\s*("|\})|\[\s*[\]"[{\d-])/

/** Whether a file begins like a page. */
export function isWebPage(beginning: string): boolean {
  return page.test(beginning)
}

/**
 * A part of a sentence such as `a web page`, or null when it may be a certificate. Pure.
 * @param head the first bytes of the file, or all there are
 * @param size of the whole, in bytes
 */
export function surelyNoCertificate(head: Buffer, size: number): string | null {
  if (size === 0) return 'nothing at all'
  const text = head.toString('utf8')
  if (isWebPage(text)) return 'a web page'
  return (size > head.length ? begunJson.test(text) : isJsonDocument(text)) ? 'a JSON document' : null
}

function isJsonDocument(text: string): boolean {
  try {
    const read: unknown = JSON.parse(text.replace(/^\ufeff/, ''))
    return typeof read === 'object'
  } catch {
    return false
  }
}
