// What this program is: its version, from package.json, and its name in HTTP calls; and how its TypeScript becomes
// JavaScript.

import { readFileSync } from 'node:fs'
import module from 'node:module'
import { join } from 'node:path'

/** For example 1.0.0. */
export const version: string = JSON.parse(
  readFileSync(join(import.meta.dirname, '..', '..', 'package.json'), 'utf8'),
).version

/**
 * Sent with every HTTP call. The hosts of some vendors, Instructure's among them, refuse calls without a User-Agent.
 */
export const userAgent = `credsync/${version}`

/**
 * Turns TypeScript into JavaScript as Node does when it runs a .ts file: types become spaces, so every statement keeps
 * its line and column. Suppresses the warning that Node prints on stderr because the function is experimental.
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
