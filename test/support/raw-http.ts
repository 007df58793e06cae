// The part of HTTP/1.1 that a raw TCP proxy needs: heads as text, bodies by content-length, one connection per
// exchange.

import { connect, type Socket } from 'node:net'

export interface RawAnswer {
  /** Status line and headers, without the empty line, connection or content-length. */
  head: string
  body: Buffer
}

export interface Bytes {
  /** Reads all bytes up to and including `mark`, as text; null if the stream ends first. */
  through(mark: string): Promise<string | null>
  /** Reads the next `length` bytes; null if the stream ends first. */
  take(length: number): Promise<Buffer | null>
}

/** Reads a stream piece by piece and treats an error as its end. */
export function readBytes(stream: Socket): Bytes {
  const chunks: AsyncIterator<Buffer> = stream.iterator({ destroyOnReturn: false })
  let buffered = Buffer.alloc(0)
  async function readMore(): Promise<boolean> {
    try {
      const next = await chunks.next()
      if (next.done) return false
      buffered = Buffer.concat([buffered, next.value])
      return true
    } catch {
      return false
    }
  }
  async function take(length: number): Promise<Buffer | null> {
    while (buffered.length < length) if (!(await readMore())) return null
    const taken = buffered.subarray(0, length)
    buffered = buffered.subarray(length)
    return taken
  }
  return {
    take,
    async through(mark) {
      while (!buffered.includes(mark)) if (!(await readMore())) return null
      return (await take(buffered.indexOf(mark) + mark.length))?.toString('latin1') ?? null
    },
  }
}

export const pathOf = (head: string): string => head.split(' ', 2)[1] ?? ''

/** A request without a content-length has no body: undici sends strings with one, never chunked. */
export const lengthOf = (head: string): number => Number(/^content-length: *(\d+)/im.exec(head)?.[1] ?? 0)

/**
 * Sends a request on a new connection. Rejects if the connection breaks or the body is shorter than its content-length.
 * The sandbox always sends a content-length; chunked responses are rejected too.
 */
export function forwardRaw(service: URL, head: string, body: Buffer): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(service.port), service.hostname)
    const chunks: Buffer[] = []
    socket.on('error', reject)
    socket.on('data', (chunk) => chunks.push(chunk))
    socket.on('end', () => {
      const whole = Buffer.concat(chunks)
      const end = whole.indexOf('\r\n\r\n')
      const answerHead = whole.subarray(0, end).toString('latin1')
      const answerBody = whole.subarray(end + 4)
      if (end < 0 || lengthOf(answerHead) !== answerBody.length) return reject(new Error('The response is incomplete.'))
      resolve({ head: without(answerHead, 'connection|keep-alive|content-length'), body: answerBody })
    })
    const rewrittenHead = `${without(head.slice(0, -4), 'connection')}\r\nconnection: close\r\n\r\n`
    socket.write(Buffer.concat([Buffer.from(rewrittenHead, 'latin1'), body]))
  })
}

/** Returns the bytes of a response. Pass a wrong `length` for a false content-length. */
export function renderAnswer(
  answer: RawAnswer,
  { connection = 'keep-alive', length = answer.body.length } = {},
): Buffer {
  const head = `${answer.head}\r\nconnection: ${connection}\r\ncontent-length: ${length}\r\n\r\n`
  return Buffer.concat([Buffer.from(head, 'latin1'), answer.body])
}

function without(head: string, names: string): string {
  return head
    .split('\r\n')
    .filter((line, index) => index === 0 || !new RegExp(`^(${names}):`, 'i').test(line))
    .join('\r\n')
}
