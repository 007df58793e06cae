// What the extensions do in a worker besides the jobs of their queues. What only one of them does is called where it is
// needed: notices by the worker, erasures by the worker, the sweep and a command.

import { certificateJobs } from '#jobs/certificates/certificate-jobs.ts'
import { consoleJobs } from '#jobs/console/console-jobs.ts'
import { learningJobs } from '#jobs/lms/learning-jobs.ts'
import { privacyJobs } from '#jobs/privacy/privacy-jobs.ts'
import type { ExtensionJobs } from './extension-jobs.ts'

export const extensionJobs: readonly ExtensionJobs[] = [privacyJobs, certificateJobs, learningJobs, consoleJobs]
