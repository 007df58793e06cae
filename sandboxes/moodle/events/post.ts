// Sends one HTTP POST as Moodle does with curl, ignoring everything in the response but its status.

import { request } from 'node:http'

/**
 * Returns the status, or null if there was no response. Supports plain HTTP only, because the receiver is on the same
 * machine. Has no timeout, like the plugins (sections 1.3 and 1.4).
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
