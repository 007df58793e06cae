// What the console leaves behind. It removes that itself, but may have been turned off with files in its folders.

import type { ExtensionJobs } from '#jobs/extension-jobs.ts'
import { removeAbandonedDownloads } from '#src/extensions/console/make-download.ts'
import { openUploads } from '#src/extensions/console/uploads/open-uploads.ts'
import { removeOldUploads } from '#src/extensions/console/uploads/remove-old-uploads.ts'
import { expireConsoleActs } from './expire-console-acts.ts'

export const consoleJobs: ExtensionJobs = {
  turns: {
    async uploads(app) {
      await removeAbandonedDownloads(app.settings.dataDir, app.clock.now())
      await removeOldUploads(app, openUploads(app.settings.dataDir), app.clock.now())
      return false
    },
    'console log': (app) => expireConsoleActs(app),
  },
}
