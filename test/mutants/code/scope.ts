// What is mutated, how many mutants the tests have to notice, and which tests are run.

export interface Scope {
  /** Names the row in docs/guarantees.md. */
  name: string
  /** Files and folders below the root of the repository. */
  sources: readonly string[]
  /** The least percentage of mutants that the tests notice. */
  goal: number
}

export const scopes: readonly Scope[] = [
  { name: 'domain/credential', sources: ['src/domain/credential'], goal: 90 },
  { name: 'domain/recipient', sources: ['src/domain/recipient'], goal: 90 },
  { name: 'issuing/reconcile', sources: ['src/issuing/reconcile'], goal: 90 },
  {
    name: 'issuer: outcomes',
    sources: ['src/issuer/sending', 'src/issuer/classify-read.ts', 'src/issuer/service-message.ts'],
    goal: 90,
  },
  { name: 'issuer: tokens', sources: ['src/issuer/tokens'], goal: 80 },
  { name: 'platform/limits', sources: ['src/platform/limits'], goal: 80 },
  { name: 'issuing/intake', sources: ['src/issuing/intake'], goal: 80 },
  { name: 'issuing/results', sources: ['src/issuing/results'], goal: 80 },
  { name: 'lms/xapi', sources: ['src/lms/xapi'], goal: 80 },
  { name: 'lms/webhooks', sources: ['src/lms/webhooks'], goal: 80 },
  { name: 'lms/moodle', sources: ['src/lms/moodle'], goal: 80 },
  { name: 'config', sources: ['config'], goal: 80 },
]

/** Files below them that work with PostgreSQL or Redis. The suites in test/guarantees test those. */
export const needServers: readonly string[] = [
  'src/issuer/tokens/redis-token-store.ts',
  'src/issuer/tokens/token-scripts.ts',
  'src/issuing/reconcile/check-first-list.ts',
  'src/issuing/reconcile/look-up-revocation.ts',
  'src/issuing/reconcile/resolve-unconfirmed.ts',
  'src/issuing/reconcile/scan-report.ts',
  'src/issuing/reconcile/watch-by-revoked-date.ts',
  'src/issuing/reconcile/watch-issued.ts',
  'src/issuing/reconcile/watch-items.ts',
  'src/platform/limits/redis-slots.ts',
  'src/platform/limits/shared-slots.ts',
  'src/platform/limits/slot-client.ts',
  'src/platform/limits/slot-scripts.ts',
]

/** Folders of tests that need neither PostgreSQL nor Redis; single tests below them that do are skipped. */
export const testFolders: readonly string[] = [
  'test/config',
  'test/src/domain',
  'test/src/issuer',
  'test/src/issuing/intake',
  'test/src/issuing/reconcile',
  'test/src/issuing/results',
  'test/src/lms/moodle',
  'test/src/lms/webhooks',
  'test/src/lms/xapi',
  'test/src/platform/limits',
]
