// Splits a multipart body into its parts (RFC 2046 section 5.1), byte for byte. Pure.

export interface BodyPart {
  /** Header names are in lower case. */
  headers: Readonly<Record<string, string>>
  content: Buffer
}

/** Returns the boundary in a Content-Type; null when it has none that RFC 2046 allows. */
export function boundaryOf(contentType: string): string | null {
  const found = /;\s*boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))/i.exec(contentType)
  return found?.[1] ?? found?.[2] ?? null
}

/** Returns the parts in order; null when the body is not delimited by its boundary as required. */
export function bodyPartsOf(body: Buffer, boundary: string): BodyPart[] | null {
  const delimiter = Buffer.from(`--${boundary}`)
  const parts: BodyPart[] = []
  let partStart: number | null = null
  for (let at = body.indexOf(delimiter); at >= 0; at = body.indexOf(delimiter, at + delimiter.length)) {
    if (at > 0 && body[at - 1] !== 0x0a) continue
    const line = /^(--)?[ \t]*(?:\r?\n|$)/.exec(
      body.toString('latin1', at + delimiter.length, at + delimiter.length + 80),
    )
    if (!line) continue
    if (partStart !== null) {
      const part = partOf(body.subarray(partStart, at))
      if (!part) return null
      parts.push(part)
    }
    if (line[1]) return parts
    partStart = at + delimiter.length + line[0].length
  }
  return null
}

/**
 * @param bytes from the end of one boundary line to the start of the next; the final line break belongs to the boundary
 */
function partOf(bytes: Buffer): BodyPart | null {
  const head = /^((?:[^\r\n]+\r?\n)*)\r?\n/.exec(bytes.toString('latin1', 0, 16_384))
  if (!head) return null
  const headers: Record<string, string> = Object.create(null)
  for (const line of (head[1] ?? '').split(/\r?\n/).filter(Boolean)) {
    const colon = line.indexOf(':')
    if (colon < 1) return null
    headers[line.slice(0, colon).trim().toLowerCase()] = line.slice(colon + 1).trim()
  }
  const end = bytes.length - (bytes.at(-2) === 0x0d ? 2 : 1)
  return { headers, content: bytes.subarray(head[0].length, Math.max(end, head[0].length)) }
}
