// Reads the responses and events that were captured from a real Moodle 4.5.6, from moodle-captures/. Both the client
// and the sandbox are tested against them.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const read = (name: string) => readFileSync(join(import.meta.dirname, 'moodle-captures', `${name}.txt`), 'utf8')

export function moodleCapture(name: string): string {
  return moodlePage(name)?.body ?? read(name)
}

/** Returns a page whose status and content type were captured in its last line; null for other files. */
export function moodlePage(name: string): { body: string; status: number; type: string } | null {
  const [, body, status, type] = /^([\s\S]*)\n(\d{3}) (.*)$/.exec(read(name).trimEnd()) ?? []
  return body === undefined ? null : { body, status: Number(status), type: type ?? '' }
}
