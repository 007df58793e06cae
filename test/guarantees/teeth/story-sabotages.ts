// Sabotaged versions that a user or an operator would notice. Each names the test that catches it. If a fault is found
// that every test accepts, its test and its entry are added here.

import type { Sabotage } from './sabotage.ts'
import { cliSabotages } from './stories/cli.ts'
import { filesAndIssuingSabotages } from './stories/files-and-issuing.ts'
import { jobsSabotages } from './stories/jobs.ts'
import { lmsSabotages } from './stories/lms.ts'
import { webAndCheckSabotages } from './stories/web-and-check.ts'

export const storySabotages: readonly Sabotage[] = [
  ...jobsSabotages,
  ...cliSabotages,
  ...webAndCheckSabotages,
  ...lmsSabotages,
  ...filesAndIssuingSabotages,
]
