// A command that is said in a place, with its configuration.

import type { Place } from './place.ts'
import { runHere } from './run-here.ts'

/** They read the ledger alone, and take no configuration. */
const withoutConfiguration = ['explain', 'status']

/**
 * Runs `credsync ARGS`. Gives exit code, stdout and stderr.
 * @param typed what somebody types at the terminal; at no terminal when left out
 */
export function sayInPlace(place: Place, args: readonly string[], typed?: string) {
  const configured = withoutConfiguration.includes(args[0] ?? '') ? [] : ['--config', 'credsync.yaml']
  return runHere([...args, ...configured], { cwd: place.folder, env: place.env, typed })
}
