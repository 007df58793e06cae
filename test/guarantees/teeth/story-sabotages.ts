// Sabotaged versions that a user or an operator would notice. Each names the test that catches it. If a fault is found
// that every test accepts, its test and its entry are added here.

import type { Sabotage } from './sabotage.ts'
import { checkSabotages } from './stories/check.ts'
import { cliSabotages } from './stories/cli.ts'
import { consoleSabotages } from './stories/console.ts'
import { filesAndIssuingSabotages } from './stories/files-and-issuing.ts'
import { jobsSabotages } from './stories/jobs.ts'
import { lmsSabotages } from './stories/lms.ts'
import { webAndCheckSabotages } from './stories/web-and-check.ts'
import { workerSabotages } from './stories/workers.ts'

export const storySabotages: readonly Sabotage[] = [
  ...jobsSabotages,
  ...workerSabotages,
  ...cliSabotages,
  ...webAndCheckSabotages,
  ...checkSabotages,
  ...consoleSabotages,
  ...lmsSabotages,
  ...filesAndIssuingSabotages,
]
