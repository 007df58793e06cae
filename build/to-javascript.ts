// Turns a TypeScript source of ours into the JavaScript that is packed. Pure.

import { plainJavaScript } from '#src/platform/version.ts'

/** Our own files, in imports, exports and dynamic imports: these begin with `./`, `../` or `#`. */
const ownImport = /\b(from |import |import\( ?)'([.#][^']+)\.ts'/g

/**
 * Blanks out the types, as Node does when it runs the source, and points the imports at the built files. Every statement
 * keeps its line and column, because types become spaces and `.js` is as long as `.ts`: a location in a log or a stack
 * trace is the one in the source, without a source map (docs/decisions/0091-built-package.md).
 */
export function toJavaScript(source: string): string {
  return plainJavaScript(source).replace(ownImport, "$1'$2.js'")
}
