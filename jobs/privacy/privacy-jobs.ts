// What privacy needs of a worker: a ledger that lacks an erasure is not worked on, and what is kept too long goes.

import type { ExtensionJobs } from '#jobs/extension-jobs.ts'
import { compareErasuresAtStart } from './erasures.ts'
import { expireOldFiles } from './expire-files.ts'
import { expireData } from './retention.ts'

export const privacyJobs: ExtensionJobs = {
  prepare: (app) => compareErasuresAtStart(app),
  turns: { expiry: (app) => expireOldFiles(app), retention: (app) => expireData(app) },
}
