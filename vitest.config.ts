import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** The long suites first: one that begins last would run alone at the end, with a core idle beside it. */
class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = (file: TestSpecification) => longest.findIndex((part) => part === '' || file.moduleId.includes(part))
    return (await super.sort(files)).sort((a, b) => rank(a) - rank(b))
  }
}

const longest = ['guarantees/simulation/simulation', 'guarantees/crash', 'guarantees/', '']

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/servers.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    maxWorkers: 2,
    sequence: { sequencer: LongFirst },
  },
})
