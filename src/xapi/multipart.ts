// Takes a body of several parts to pieces (RFC 2046 section 5.1), bytes untouched.

export interface Part {
  /** Names in lower case. */
  headers: Readonly<Record<string, string>>
  content: Buffer
}

/** The boundary that a Content-Type names; null when it names none that RFC 2046 allows. */
export function boundaryOf(contentType: string): string | null {
  const found = /;\s*boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))/i.exec(contentType)
  return found?.[1] ?? found?.[2] ?? null
}

/** The parts in their order; null when the body does not begin, go on and end with its boundary as it should. */
export function partsOf(body: Buffer, boundary: string): Part[] | null {
  const delimiter = Buffer.from(`--${boundary}`)
  const parts: Part[] = []
  let opened: number | null = null
  for (let at = body.indexOf(delimiter); at >= 0; at = body.indexOf(delimiter, at + delimiter.length)) {
    if (at > 0 && body[at - 1] !== 0x0a) continue
    const line = /^(--)?[ \t]*(?:\r?\n|$)/.exec(
      body.toString('latin1', at + delimiter.length, at + delimiter.length + 80),
    )
    if (!line) continue
    if (opened !== null) {
      const part = partOf(body.subarray(opened, at))
      if (!part) return null
      parts.push(part)
    }
    if (line[1]) return parts
    opened = at + delimiter.length + line[0].length
  }
  return null
}

/** @param bytes from behind one boundary line to the beginning of the next; the last line end belongs to the boundary. */
function partOf(bytes: Buffer): Part | null {
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
