// One POST as Moodle sends it: by curl, without looking at more of the answer than its status.

import { request } from 'node:http'

/**
 * The status, or null where no answer came. Plain HTTP only: whoever receives is on the same machine.
 * No time limit, like the plugins' (1.3, 1.4).
 */
export function post(url: string, headers: Record<string, string>, body: string): Promise<number | null> {
  return new Promise((resolve) => {
    const bytes = Buffer.from(body)
    const outgoing = request(
      url,
      {
        method: 'POST',
        agent: false,
        headers: { accept: '*/*', ...headers, 'content-type': 'application/json', 'content-length': bytes.length },
      },
      (answer) => {
        answer.on('error', () => resolve(null))
        answer.on('end', () => resolve(answer.statusCode ?? null))
        answer.resume()
      },
    )
    outgoing.on('error', () => resolve(null))
    outgoing.end(bytes)
  })
}
