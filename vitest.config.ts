import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** The long suites first: one that begins last would run alone at the end, with a core idle beside it. */
class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = (file: TestSpecification) => longest.findIndex((part) => file.moduleId.includes(part))
    return (await super.sort(files)).sort((a, b) => rank(a) - rank(b))
  }
}

const longest = ['guarantees/teeth', 'guarantees/crash', 'guarantees/simulation/simulation', 'guarantees/', '']

const guarantees = 'test/guarantees/**/*.test.ts'
const both = { isolate: false, testTimeout: 60_000, hookTimeout: 60_000 }

export default defineConfig({
  test: {
    globalSetup: ['test/support/servers.ts'],
    sequence: { sequencer: LongFirst },
    // The suites of the guarantees keep two cores busy. The others mostly wait for a deadline or a process: six of them at once take a third of the
    // time. Without isolation the files of a worker share its modules; loading them anew for each file took half of all processor time. So no module
    // may remember anything from one test file to the next.
    projects: [
      {
        test: { name: 'guarantees', include: [guarantees], maxWorkers: 2, sequence: { groupOrder: 0 }, ...both },
      },
      {
        test: {
          name: 'rest',
          include: ['test/**/*.test.ts'],
          exclude: [guarantees],
          maxWorkers: 6,
          sequence: { groupOrder: 1 },
          ...both,
        },
      },
    ],
  },
})
