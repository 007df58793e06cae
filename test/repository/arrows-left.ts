// The imports that still lead into an extension from the core or from another extension. None is added; each goes once
// the core asks in its own words, or the shell joins the two.

export const arrowsLeft: readonly string[] = [
  'jobs/privacy/erased-certificates.ts → src/extensions/certificates/download-folder-error.ts',
  'jobs/privacy/erased-certificates.ts → src/extensions/certificates/remove-certificates.ts',
  'jobs/privacy/erasures.ts → src/extensions/lms/sync/confirmed-by.ts',
  'src/extensions/console/pages/people-needed.ts → src/extensions/lms/learning-system-lines.ts',
  'src/extensions/console/pages/people-needed.ts → src/extensions/notices/describe-facts.ts',
  'src/extensions/privacy/commands/erasure-lines.ts → src/extensions/lms/ledger/empty-learning.ts',
  'src/extensions/privacy/commands/export.ts → src/extensions/lms/sync/confirmed-by.ts',
  'src/extensions/privacy/ledger/empty-events.ts → src/extensions/lms/ledger/event-assignments.ts',
  'src/extensions/privacy/ledger/empty-events.ts → src/extensions/lms/ledger/recording-lock.ts',
  'src/extensions/privacy/ledger/empty-records.ts → src/extensions/lms/ledger/empty-learning.ts',
  'src/extensions/privacy/ledger/erasures.ts → src/extensions/lms/ledger/empty-learning.ts',
  'src/extensions/privacy/ledger/forgotten-before.ts → src/extensions/lms/ledger/forgotten-learner.ts',
  'src/extensions/privacy/ledger/person-records.ts → src/extensions/lms/ledger/forgotten-learner.ts',
  'src/extensions/privacy/ledger/recorded-erasures.ts → src/extensions/lms/ledger/forgotten-learner.ts',
  'src/extensions/privacy/ledger/write-erasure.ts → src/extensions/lms/ledger/empty-learning.ts',
  'src/extensions/privacy/ledger/write-erasure.ts → src/extensions/lms/ledger/forgotten-learner.ts',
]
