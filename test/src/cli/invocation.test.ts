import { expect, test } from 'vitest'
import { invocation } from '#src/cli/cli-context.ts'

test.each([
  ['a checkout', 'file:///credsync/src/cli/cli-context.ts', 'run', 'npm run -s credsync --'],
  ['a package run by npx', 'file:///x/node_modules/credsync/dist/src/cli/invocation.js', 'exec', 'npx credsync'],
  ['a global package', 'file:///usr/lib/node_modules/credsync/dist/src/cli/invocation.js', undefined, 'credsync'],
])('in %s, messages name the command that works there', (_, file, command, expected) => {
  expect(invocation({ npm_command: command }, file)).toBe(expected)
})
