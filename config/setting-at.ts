// What the schema has at a place of the file: for sentences about a setting that is misspelt, or missing.

import { z } from 'zod'
import { fileSchema } from './schema.ts'

interface Node {
  format?: string
  properties?: Record<string, Node>
  additionalProperties?: Node | boolean
}

/** The setting at `path`, which may go through names that the file's owner chose; null where the schema has none. */
function nodeAt(path: readonly string[]): Node | null {
  let node = z.toJSONSchema(fileSchema, { io: 'input' }) as Node
  for (const step of path) {
    const { additionalProperties: others } = node
    const next = node.properties?.[step] ?? (typeof others === 'object' ? others : undefined)
    if (!next) return null
    node = next
  }
  return node
}

export function isUuid(path: readonly string[]): boolean {
  return nodeAt(path)?.format === 'uuid'
}

/** The setting of the group at `path` that `key` probably means: the same but for case and signs, or but for two letters of five or more. */
export function meantSetting(path: readonly string[], key: string): string | null {
  const known = Object.keys(nodeAt(path)?.properties ?? {})
  const wanted = bare(key)
  const same = known.find((name) => bare(name) === wanted)
  if (same) return same
  const near = known
    .map((name) => ({ name, apart: lettersApart(wanted, bare(name)) }))
    .sort((a, b) => a.apart - b.apart)
  const [best] = near
  return best && wanted.length >= 5 && best.apart <= 2 ? best.name : null
}

function bare(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, '')
}

/** Levenshtein. `src/recipients` has one for the names of fields; this room is below all others, and imports from none. */
function lettersApart(a: string, b: string): number {
  let above = Array.from({ length: b.length + 1 }, (_, at) => at)
  for (let row = 1; row <= a.length; row++) {
    const now = [row]
    for (let at = 1; at <= b.length; at++) {
      const change = (above[at - 1] ?? 0) + Number(a[row - 1] !== b[at - 1])
      now.push(Math.min(change, (above[at] ?? 0) + 1, (now[at - 1] ?? 0) + 1))
    }
    above = now
  }
  return above[b.length] ?? 0
}
