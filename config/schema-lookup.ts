// Looks up settings in the schema by their path, for messages about a setting that is misspelled or missing. Pure.

import { z } from 'zod'
import { fileSchema } from './schema.ts'

interface Node {
  format?: string
  properties?: Record<string, Node>
  additionalProperties?: Node | boolean
}

/** Finds the setting at `path`, which may contain names that the file's owner chose; null if the schema has none. */
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

/** Returns whether the setting at `path` takes a uuid. */
export function isUuidPath(path: readonly string[]): boolean {
  return nodeAt(path)?.format === 'uuid'
}

/**
 * Finds the setting of the group at `path` that `key` probably means: a name that is equal except for case and
 * punctuation, or that differs in at most two letters if `key` has five or more. Null if there is no such name.
 */
export function meantSetting(path: readonly string[], key: string): string | null {
  const known = Object.keys(nodeAt(path)?.properties ?? {})
  const wanted = normalized(key)
  const equal = known.find((name) => normalized(name) === wanted)
  if (equal) return equal
  const byDistance = known
    .map((name) => ({ name, distance: editDistance(wanted, normalized(name)) }))
    .sort((a, b) => a.distance - b.distance)
  const [nearest] = byDistance
  return nearest && wanted.length >= 5 && nearest.distance <= 2 ? nearest.name : null
}

function normalized(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, '')
}

/**
 * Returns the Levenshtein distance. `src/domain/recipient/nearest-name.ts` has its own, for the names of fields, and
 * does not export it.
 */
function editDistance(a: string, b: string): number {
  let previousRow = Array.from({ length: b.length + 1 }, (_, column) => column)
  for (let row = 1; row <= a.length; row++) {
    const currentRow = [row]
    for (let column = 1; column <= b.length; column++) {
      const change = (previousRow[column - 1] ?? 0) + Number(a[row - 1] !== b[column - 1])
      currentRow.push(Math.min(change, (previousRow[column] ?? 0) + 1, (currentRow[column - 1] ?? 0) + 1))
    }
    previousRow = currentRow
  }
  return previousRow[b.length] ?? 0
}
