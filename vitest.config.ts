import { existsSync } from 'node:fs'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { quickGuarantees, quickStories, slowTests } from './test/support/which-tests.ts'

/** The long suites first: one that begins last would run alone at the end, with a core idle beside it. */
class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = (file: TestSpecification) => longest.findIndex((part) => file.moduleId.includes(part))
    return (await super.sort(files)).sort((a, b) => rank(a) - rank(b))
  }
}

// Folders, because the name of a file that is renamed would silently match nothing: the faults, then whole journeys,
// then what starts programs and servers.
const longest = [
  ...['guarantees/teeth', 'guarantees/crash', 'guarantees/simulation', 'guarantees/'],
  ...['test/stories/', 'test/build/', 'test/repository/', 'test/src/cli/', 'test/src/platform/database/'],
  '',
]

// `npm test`: what takes four minutes on two cores. `npm run test:guarantees` runs the rest.
const few = process.env.CREDSYNC_TEST_SIZE === 'few'
const guarantees = 'test/guarantees/**/*.test.ts'
const slow = ['test/stories/**/*.test.ts', ...existing(slowTests)]
// For those that mostly wait for a deadline or a process: so many of them fill two cores. Stories wait even more.
const waiting = few ? 8 : 12
// No test waits for a time: a limit ends what would never end, and a busy machine must not meet it.
const all = {
  isolate: false,
  testTimeout: 900_000,
  hookTimeout: 900_000,
  expect: { poll: { timeout: 240_000, interval: 100 } },
}

/** Throws for a file that was renamed, which would silently match nothing. */
function existing(files: readonly string[]): string[] {
  const missing = files.filter((file) => !existsSync(file))
  if (missing.length > 0) throw new Error(`test/support/which-tests.ts names files that do not exist: ${missing}`)
  return [...files]
}

export default defineConfig({
  test: {
    globalSetup: ['test/support/global-setup.ts'],
    sequence: { sequencer: LongFirst },
    // In the size of a change three files of the guarantees keep two cores busy, and go alone. Without isolation the files
    // of a worker share its modules; loading them anew for each file took half of all processor time. So no module may
    // remember anything from one test file to the next.
    projects: [
      {
        test: {
          name: 'guarantees',
          include: few ? existing(quickGuarantees) : [guarantees],
          // Fewer, because each of these files runs several cases at once.
          maxWorkers: few ? waiting : 3,
          sequence: { groupOrder: 0 },
          ...all,
        },
      },
      {
        test: {
          name: 'slow',
          include: few ? existing(quickStories) : slow,
          maxWorkers: waiting,
          sequence: { groupOrder: few ? 0 : 1 },
          ...all,
        },
      },
      {
        test: {
          name: 'rest',
          include: ['test/**/*.test.ts'],
          exclude: [guarantees, ...slow],
          maxWorkers: waiting,
          sequence: { groupOrder: few ? 0 : 1 },
          ...all,
        },
      },
    ],
  },
})
