// Loads the project's modules with the mutants in them, and loads some of them again when asked: what a module computes
// while it is loaded is mutated only then.

import { registerHooks } from 'node:module'
import { relative } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const collector = new URL('./collected-tests.ts', import.meta.url).href
const importers = new Map<string, Set<string>>()
let stale: ReadonlySet<string> = new Set()
let generation = 0

const pathOf = (url: string) => relative(process.cwd(), fileURLToPath(url))
const isOurs = (url: string) => url.startsWith('file:') && !url.includes('/node_modules/')

/** @param texts replaces the text of these files */
export function loadFrom(texts: ReadonlyMap<string, string>): void {
  registerHooks({
    resolve(specifier, context, next) {
      const from = context.parentURL
      if (specifier === 'vitest' && from !== collector && from && isOurs(from))
        return { url: collector, shortCircuit: true }
      const resolved = next(specifier, context)
      if (!isOurs(resolved.url)) return resolved
      const path = pathOf(resolved.url)
      if (from && isOurs(from)) importersOf(path).add(pathOf(from))
      return stale.has(path) ? { ...resolved, url: `${resolved.url}?generation=${generation}` } : resolved
    },
    load(url, context, next) {
      const source = isOurs(url) ? texts.get(pathOf(url)) : undefined
      return source === undefined ? next(url, context) : { format: 'module-typescript', source, shortCircuit: true }
    },
  })
}

/** Imports a file below the root. */
export const load = (path: string): Promise<unknown> =>
  import(pathToFileURL(path).href + (stale.has(path) ? `?generation=${generation}` : ''))

/** From now on, these files are loaded again, once. */
export function loadAgain(paths: ReadonlySet<string>): void {
  stale = paths
  generation++
}

/** @returns the file and every loaded file that imports it, directly or not */
export function dependents(path: string): Set<string> {
  const all = new Set([path])
  for (const each of all) for (const importer of importersOf(each)) all.add(importer)
  return all
}

function importersOf(path: string): Set<string> {
  const found = importers.get(path) ?? new Set<string>()
  importers.set(path, found)
  return found
}
