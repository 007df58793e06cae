// Prepares the code of a reading thread as plain JavaScript, once per process. A thread that loads TypeScript itself
// starts the type stripper's WebAssembly again, and doing so in many short threads at the same time made V8 end the
// whole process (docs/decisions/0003-reading-xlsx.md#0040). Reads the source files.

import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { plainJavaScript } from '#src/platform/version.ts'

/**
 * The JavaScript of each module and the URLs of its imports, by module URL. Packages and Node's own modules are not
 * included.
 */
export type ThreadModules = Record<string, { source: string; imports: Record<string, string> }>

// Matches only our own files (with `./` or `#` in front), in imports, exports and dynamic imports.
const ownImport = /\b(?:from|import|import\() ?'([.#][^']+)'/g

/** Collects every module that the module at `entry` can load. */
export async function gatherModules(entry: URL): Promise<ThreadModules> {
  const modules: ThreadModules = {}
  const queue = [entry.href]
  for (let url = queue.pop(); url !== undefined; url = queue.pop()) {
    if (modules[url]) continue
    const source = plainJavaScript(await readFile(fileURLToPath(url), 'utf8'))
    const { resolve } = createRequire(url)
    const imports: Record<string, string> = {}
    for (const [, name = ''] of source.matchAll(ownImport)) imports[name] = pathToFileURL(resolve(name)).href
    modules[url] = { source, imports }
    queue.push(...Object.values(imports))
  }
  return modules
}
