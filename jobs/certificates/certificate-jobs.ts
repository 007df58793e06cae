// The worker's jobs for certificates: archives are filled as credentials are issued, and old certificates are removed.

import type { ExtensionJobs } from '#jobs/extension-jobs.ts'
import { expireCertificates } from './expire-certificates.ts'

export const certificateJobs: ExtensionJobs = {
  async prepare({ ledger, archives }, chosenWork) {
    if (chosenWork.has('archive')) await ledger.archives.watch(archives.all)
  },
  async queueDue({ ledger, queues }) {
    let queued = 0
    for (const pipeline of await ledger.archives.take()) queued += Number(await queues.enqueue('archive', { pipeline }))
    return queued
  },
  turns: { 'archive expiry': (app) => expireCertificates(app) },
}
