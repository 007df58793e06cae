// Finds every regular expression in the sources with a parser, because a slash may also be a division.

import { readdirSync, readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { join, resolve } from 'node:path'
import { parseAst } from 'vitest/node'

export interface WrittenPattern {
  /** The location, such as `src/files/inbox/taken-file-name.ts:6`. */
  at: string
  source: string
  flags: string
}

const root = resolve(import.meta.dirname, '../../..')

export function collectPatterns(): WrittenPattern[] {
  return ['config', 'jobs', 'sandboxes', 'src'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(ts|mjs)$/.test(name))
      .flatMap((name) => patternsIn(join(folder, name))),
  )
}

function patternsIn(file: string): WrittenPattern[] {
  // Types are replaced by spaces, so positions stay the same.
  const text = stripTypeScriptTypes(readFileSync(join(root, file), 'utf8'))
  const found: WrittenPattern[] = []
  const walk = (node: unknown) => {
    if (typeof node !== 'object' || node === null) return
    const { regex, start } = node as { regex?: { pattern: string; flags: string }; start: number }
    if (regex) {
      const line = text.slice(0, start).split('\n').length
      found.push({ at: `${file}:${line}`, source: regex.pattern, flags: regex.flags })
    } else for (const each of Object.values(node)) walk(each)
  }
  walk(parseAst(text))
  return found
}
