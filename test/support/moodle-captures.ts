// What a real Moodle 4.5.6 answered and sent, in moodle-captures/: its answers as they came, its events as its plugins wrote them. Both the client
// and the sandbox are held to them.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const read = (name: string) => readFileSync(join(import.meta.dirname, 'moodle-captures', `${name}.txt`), 'utf8')

export function moodleCapture(name: string): string {
  return moodlePage(name)?.body ?? read(name)
}

/** A page of which the status and the type were captured too, in a line below it; null for all others. */
export function moodlePage(name: string): { body: string; status: number; type: string } | null {
  const [, body, status, type] = /^([\s\S]*)\n(\d{3}) (.*)$/.exec(read(name).trimEnd()) ?? []
  return body === undefined ? null : { body, status: Number(status), type: type ?? '' }
}
