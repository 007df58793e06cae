// How the person at the terminal starts credsync, for messages that name the next command. Pure.

import { extname } from 'node:path'

/** @param file the URL of a file of ours: in a checkout, it ends with .ts */
export function invocation(env: Readonly<Record<string, string | undefined>>, file: string = import.meta.url): string {
  if (extname(file) === '.ts') return 'npm run -s credsync --'
  return env.npm_command === 'exec' ? 'npx credsync' : 'credsync'
}
