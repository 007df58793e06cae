// Provides the program's version, from package.json, its User-Agent for HTTP requests, and the conversion of its
// TypeScript source into JavaScript.

import { readFileSync } from 'node:fs'
import module from 'node:module'
import { join } from 'node:path'

/** For example 1.0.0. */
export const version: string = JSON.parse(
  readFileSync(join(import.meta.dirname, '..', '..', 'package.json'), 'utf8'),
).version

/**
 * Sent with every HTTP call. The hosts of some vendors, Instructure's among them, refuse requests without a User-Agent.
 */
export const userAgent = `credsync/${version}`

/**
 * Converts TypeScript into JavaScript in the same way as Node when it runs a .ts file: types are replaced by spaces, so
 * every statement keeps its line and column. Suppresses the warning that Node prints on stderr because the function is
 * experimental.
 */
export function plainJavaScript(source: string): string {
  const { emitWarning } = process
  process.emitWarning = () => {}
  try {
    return module.stripTypeScriptTypes(source)
  } finally {
    process.emitWarning = emitWarning
  }
}
