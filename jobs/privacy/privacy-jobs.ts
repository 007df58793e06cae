// The worker's jobs for privacy: files and data that have been kept for long enough are removed.

import type { ExtensionJobs } from '#jobs/extension-jobs.ts'
import { expireOldFiles } from './expire-files.ts'
import { expireData } from './expire-people.ts'

export const privacyJobs: ExtensionJobs = {
  turns: { expiry: (app) => expireOldFiles(app), retention: (app) => expireData(app) },
}
