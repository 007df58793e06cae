#!/usr/bin/env node
// The door for any Node: this file is plain JavaScript, so that an older Node can read it, hand over to the Node 24 that the
// `node` package carries, or say what is missing.

import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import module from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import v8 from 'node:v8'

const here = dirname(fileURLToPath(import.meta.url))
const [major] = process.versions.node.split('.').map(Number)

if (major >= 24) {
  // The heap grows in small steps. Measured on a list of a million people (bench/intake.ts): 204 MB at most instead of 339, at the same pace.
  v8.setFlagsFromString('--optimize-for-size')
  // Compiled code is kept beside the packages, not in a place that other accounts can write: a command starts in half the time.
  module.enableCompileCache(join(here, '..', 'node_modules', '.cache', 'credsync'))
  await import('./main.ts')
} else {
  const carried = join(here, '..', 'node_modules', 'node', 'bin', 'node')
  if (!existsSync(carried)) {
    process.stderr.write(
      `credsync needs Node 24; this is Node ${process.versions.node}. Run \`npm ci\` in ${join(here, '..')}, which brings one, or install Node 24.\n`,
    )
    process.exit(2)
  }
  const child = spawn(carried, [fileURLToPath(import.meta.url), ...process.argv.slice(2)], { stdio: 'inherit' })
  // The terminal signals both processes; a supervisor signals only this one.
  for (const name of ['SIGINT', 'SIGTERM']) process.on(name, () => child.kill(name))
  child.on('exit', (code, signal) => process.exit(code ?? (signal === 'SIGINT' ? 130 : 1)))
}
