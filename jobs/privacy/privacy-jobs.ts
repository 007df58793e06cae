// What privacy needs of a worker: what was kept too long goes.

import type { ExtensionJobs } from '#jobs/extension-jobs.ts'
import { expireOldFiles } from './expire-files.ts'
import { expireData } from './retention.ts'

export const privacyJobs: ExtensionJobs = {
  turns: { expiry: (app) => expireOldFiles(app), retention: (app) => expireData(app) },
}
