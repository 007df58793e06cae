// Mutants in src/issuing/results that survive and do no harm.

import type { HarmlessByFile } from './harmless-by-file.ts'

export const results: HarmlessByFile = {
  'src/issuing/results/run-summary.ts': [
    {
      line: "run: Pick<Run, 'lastList' | 'sourcePath'> = { lastList: null, sourcePath: '' },",
      mutants: [["''", '"Stryker was here!"']],
      why: 'Neither is the path of completions.',
    },
  ],
}
