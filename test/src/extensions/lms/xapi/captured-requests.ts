// Reads the recorded requests of a Moodle 4.5.6 site with the plugin logstore_xapi 5.0.1: captures/*.jsonl.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Json } from './sample-statement.ts'

export interface CapturedRequest {
  headers: Record<string, string>
  body: Json[]
}

export function capturedRequests(name: string): CapturedRequest[] {
  const lines = readFileSync(join(import.meta.dirname, 'captures', `${name}.jsonl`), 'utf8')
    .trim()
    .split('\n')
  return lines.map((line) => JSON.parse(line) as CapturedRequest)
}

/** Every statement of a recording, in the order of arrival. */
export function capturedStatements(name: string): Json[] {
  return capturedRequests(name).flatMap(({ body }) => body)
}
