// Turns TypeScript into JavaScript as Node does when it runs a .ts file: types become spaces, so every statement keeps its
// line and column.

import module from 'node:module'

/** Without the warning that Node prints on stderr because the function is experimental. */
export function plainJavaScript(source: string): string {
  const { emitWarning } = process
  process.emitWarning = () => {}
  try {
    return module.stripTypeScriptTypes(source)
  } finally {
    process.emitWarning = emitWarning
  }
}
