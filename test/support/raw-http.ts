// As much of HTTP/1.1 as a proxy on raw TCP needs: heads as text, bodies by their content-length, one connection per exchange.

import { connect, type Socket } from 'node:net'

export interface RawAnswer {
  /** Status line and headers, without the empty line; no connection and no content-length among them. */
  head: string
  body: Buffer
}

export interface Bytes {
  /** All bytes up to and including `mark`, as text; null when the stream ends before it. */
  through(mark: string): Promise<string | null>
  /** The next `length` bytes; null when the stream ends before them. */
  take(length: number): Promise<Buffer | null>
}

/** Reads a stream piece by piece; its errors count as its end. */
export function readBytes(stream: Socket): Bytes {
  const chunks: AsyncIterator<Buffer> = stream.iterator({ destroyOnReturn: false })
  let held = Buffer.alloc(0)
  async function more(): Promise<boolean> {
    try {
      const next = await chunks.next()
      if (next.done) return false
      held = Buffer.concat([held, next.value])
      return true
    } catch {
      return false
    }
  }
  async function take(length: number): Promise<Buffer | null> {
    while (held.length < length) if (!(await more())) return null
    const taken = held.subarray(0, length)
    held = held.subarray(length)
    return taken
  }
  return {
    take,
    async through(mark) {
      while (!held.includes(mark)) if (!(await more())) return null
      return (await take(held.indexOf(mark) + mark.length))?.toString('latin1') ?? null
    },
  }
}

export const pathOf = (head: string): string => head.split(' ', 2)[1] ?? ''

/** A request without a content-length has no body; undici sends texts with one, never in chunks. */
export const lengthOf = (head: string): number => Number(/^content-length: *(\d+)/im.exec(head)?.[1] ?? 0)

/** Sends a request on a connection of its own. Rejects when that breaks, or when the answer is not whole by its content-length (the
 * sandbox always gives one; an answer in chunks is rejected too). */
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
      if (end < 0 || lengthOf(answerHead) !== answerBody.length) return reject(new Error('The answer is not whole.'))
      resolve({ head: without(answerHead, 'connection|keep-alive|content-length'), body: answerBody })
    })
    const onward = `${without(head.slice(0, -4), 'connection')}\r\nconnection: close\r\n\r\n`
    socket.write(Buffer.concat([Buffer.from(onward, 'latin1'), body]))
  })
}

/** The bytes of an answer; `length` other than the body's makes it a lie. */
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
