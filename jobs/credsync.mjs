#!/usr/bin/env node
// The entry point for any Node version. It is plain JavaScript, so that an older Node can read it. In a checkout it
// then starts the Node 24 from the `node` package; otherwise it says what is missing.

import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import module from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import v8 from 'node:v8'

const here = dirname(fileURLToPath(import.meta.url))
const [major] = process.versions.node.split('.').map(Number)

if (major >= 24) {
  // On this signal Node would open its debugger to every user of this machine. --disable-sigusr1 cannot be set from
  // inside the process; the systemd unit and the container image set it, and this handler covers every other start.
  process.on('SIGUSR1', () => {})
  // Keeps the space for new objects small and lets the heap grow in small steps. With a list of a million people
  // (bench/intake.ts) the process has 222 MB at most. --optimize-for-size (213 MB) takes a third more CPU time, and
  // without flags it is 339 MB. --max-semi-space-size has no effect here, after the heap was set up.
  v8.setFlagsFromString('--semi-space-growth-factor=1 --heap-growing-percent=20')
  // Caches compiled code, so that commands start in half the time. The cache is next to the packages, where other
  // accounts cannot write.
  module.enableCompileCache(join(here, '..', 'node_modules', '.cache', 'credsync'))
  await import('./main.ts')
} else {
  const packagedNode = join(here, '..', 'node_modules', 'node', 'bin', 'node')
  if (!existsSync(packagedNode)) {
    const isCheckout = existsSync(join(here, 'main.ts'))
    const next = isCheckout
      ? `Run \`npm ci\` in ${join(here, '..')}, which installs Node 24 as a package, or install Node 24 yourself.`
      : 'Install Node 24 or newer, and run the command again.'
    process.stderr.write(`credsync needs Node 24; this is Node ${process.versions.node}. ${next}\n`)
    process.exit(2)
  }
  const child = spawn(packagedNode, ['--disable-sigusr1', fileURLToPath(import.meta.url), ...process.argv.slice(2)], {
    stdio: 'inherit',
  })
  // A terminal signals both processes; a supervisor signals only this one.
  for (const name of ['SIGINT', 'SIGTERM']) process.on(name, () => child.kill(name))
  child.on('exit', (code, signal) => process.exit(code ?? (signal === 'SIGINT' ? 130 : 1)))
}
