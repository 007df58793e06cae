// Which tests `npm test` leaves to `npm run test:guarantees`, so that it takes four minutes on two cores: the stories,
// most of the guarantees, and what costs more than about three seconds of CPU time.

const inFolder = (folder: string, names: string) => names.split(' ').map((name) => `test/${folder}/${name}.test.ts`)

/** Files outside test/stories and test/guarantees that `npm test` does not run. */
export const slowTests = [
  // Commands beside a whole worker.
  ...inFolder('src/cli', 'adopt approve-and-reject check-all-issued follow-run issue-nothing issue-take-over'),
  ...inFolder('src/cli', 'resolve-and-retry revoke-and-correct service-away source-template start'),
  ...inFolder('src/extensions', 'courses/commands/courses lms/commands/demo-lms lms/commands/events'),
  ...inFolder('src/extensions', 'probe/commands/probe'),
  // Servers that are started, stopped and refused.
  ...inFolder('src/platform/database', 'embedded-location embedded-postgres embedded-recovery embedded-server-lock'),
  ...inFolder('src/platform/queue', 'outage'),
  ...inFolder('src/issuer', 'token-processes'),
  // Hundreds of generated files.
  ...inFolder('src/files/tables', 'corpus/corpus fuzz'),
  ...inFolder('src/issuing/results', 'resubmission-loop'),
  ...inFolder('src/platform/limits', 'margin-estimate'),
  // Ledgers with many rows.
  ...inFolder('src/ledger', 'plans runs/publish-rows'),
  ...inFolder('src/extensions/lms/ledger', 'look-ups-by-learner'),
  ...inFolder('src/web', 'metrics'),
  // The package is built and installed; the core is compiled without its extensions.
  ...inFolder('build', 'package'),
  ...inFolder('repository', 'core-alone'),
]

/** One story of each kind, and those that alone notice that something is sent which must not be. */
export const quickStories = [
  ...inFolder('stories', 'erasure/forget-a-person files/inbox-killed-and-restarted issuing/first-list lms/moodle'),
  ...inFolder('stories', 'notices/faults-and-delays workers/with-and-without-redis'),
  ...inFolder('stories', 'issuing/batch-not-sent workers/persist-outcome workers/who-may-reap'),
]

/** Of the guarantees, what tries single decisions and statements, with few cases. */
export const quickGuarantees = [
  ...inFolder('guarantees', 'effects/effects interleavings/interleavings crash/points'),
  ...inFolder('guarantees/model', 'decisions exceptions teeth'),
  ...inFolder('guarantees/simulation', 'simulation twin notices/notices-twin'),
]
