// The vitest configuration for the processes of the mutation run.

import { relative } from 'node:path'
import { defineConfig } from 'vitest/config'
import { allMutants, marked, root } from './mutants.ts'

const mutants = allMutants()

export default defineConfig({
  root,
  plugins: [
    {
      name: 'mark the mutants',
      enforce: 'pre',
      transform(source, id) {
        const file = relative(root, id.split('?')[0] ?? '')
        const own = mutants.filter((mutant) => mutant.file === file)
        return own.length > 0 ? { code: marked(source, own), map: null } : null
      },
    },
  ],
  test: {
    include: ['test/mutants/sql/run-mutants.ts'],
    testNamePattern: /^ ?the mutants$/,
    pool: 'threads',
    maxWorkers: 1,
    isolate: false,
    // The marks in a file depend on the other files as well: a mutant's id is its number in all of them.
    fsModuleCache: false,
    testTimeout: 0,
    hookTimeout: 0,
    expect: { poll: { timeout: 20_000, interval: 100 } },
  },
})
