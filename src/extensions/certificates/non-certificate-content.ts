// Recognizes responses with status 200 that are not certificates: an empty body, the JSON of a service under
// maintenance, the login page of a proxy. The format of a certificate is not documented, so only content that is
// clearly something else is rejected, whatever its content type. Pure.

/** Matches the start of an HTML document, but not an SVG. */
const startOfPage = /^<(!doctype\s+html|html|head|body)[\s>]/i
const declaration = /^<\?xml[^>]*>\s*/i
/** Matches the start of a JSON document, and very little else. */
const startOfJson = /^\ufeff?\s*(\{\s*("|\})|\[\s*[\]"[{\d-])/

/** Checks whether a file starts like a web page. An XML declaration and comments may come first. */
function isWebPage(beginning: string): boolean {
  let rest = beginning
    .replace(/^\ufeff/, '')
    .trimStart()
    .replace(declaration, '')
  // Comments are removed one at a time: a pattern that skips any number of them takes exponential time.
  while (rest.startsWith('<!--')) {
    const end = rest.indexOf('-->', '<!--'.length)
    if (end < 0) return false
    rest = rest.slice(end + '-->'.length).trimStart()
  }
  return startOfPage.test(rest)
}

/**
 * Returns a noun phrase such as `a web page`, or null if the file may be a certificate.
 * @param head the first bytes of the file, or the whole file if it is short
 * @param size the size of the whole file, in bytes
 */
export function nonCertificateContent(head: Buffer, size: number): string | null {
  if (size === 0) return 'an empty file'
  const text = head.toString('utf8')
  if (isWebPage(text)) return 'a web page'
  return (size > head.length ? startOfJson.test(text) : isJsonDocument(text)) ? 'a JSON document' : null
}

function isJsonDocument(text: string): boolean {
  try {
    const read: unknown = JSON.parse(text.replace(/^\ufeff/, ''))
    return typeof read === 'object'
  } catch {
    return false
  }
}
