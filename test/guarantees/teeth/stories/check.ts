// Sabotaged versions of `check`.

import type { Sabotage } from '../sabotage.ts'

export const checkSabotages: readonly Sabotage[] = [
  {
    name: 'is content with a full disk',
    file: 'src/check/check-data-dir.ts',
    find: 'if (free < freeSpace.minimum) return',
    replace: 'if (free < 0) return',
    caughtBy: { tests: 'test/src/check/check-data-dir.test.ts', title: 'is judged by what the next days need' },
  },
  {
    name: 'is content with an old PostgreSQL',
    file: 'src/check/check-database.ts',
    find: 'if (versionNumber < tested.oldest * 10_000)',
    replace: 'if (versionNumber < 0)',
    caughtBy: { tests: 'test/src/check/check-database.test.ts', title: 'is a fault' },
  },
  {
    name: 'does not see that too few connections are free',
    file: 'src/check/check-database.ts',
    find: 'if (freeConnections < workerConnections.onRedis)',
    replace: 'if (freeConnections < 0)',
    caughtBy: { tests: 'test/src/check/check-database.test.ts', title: 'is a fault' },
  },
  {
    name: 'checks the queue of the other environment',
    file: 'src/check/check-database.ts',
    find: 'const { environment } = settings.file.service',
    replace: `const environment = 'development' as const`,
    caughtBy: { tests: 'test/src/check/check-database.test.ts', title: 'is told which schemas it cannot use' },
  },
  {
    name: 'takes an inactive mail template for one that can be used',
    file: 'src/check/check-references.ts',
    find: 'each.is_active === false ? null : each',
    replace: 'each.is_active === null ? null : each',
    caughtBy: { tests: 'test/src/check/check-references.test.ts', title: 'an inactive mail template is reported' },
  },
  {
    name: 'reports a uuid as missing from a list that it could not read to its end',
    file: 'src/check/check-references.ts',
    find: 'if (missing.length > 0 && listed.complete)',
    replace: 'if (missing.length > 0)',
    caughtBy: { tests: 'test/src/check/check-references.test.ts', title: 'from an incomplete list is not reported' },
  },
  {
    name: 'does not miss the disk of an archive',
    file: 'src/check/check-archives.ts',
    find: 'await archiveFault(folder, usedFolder)',
    replace: 'await archiveFault(folder, null)',
    caughtBy: {
      tests: 'test/src/check/check-archives.test.ts',
      title: 'may be missing until certificates were stored',
    },
  },
  {
    name: 'counts workers of the other environment',
    file: 'src/app/running-workers.ts',
    find: '.filter(({ environment }) => environment === ledger.environment)',
    replace: '',
    caughtBy: { tests: 'test/src/check/check-workers.test.ts', title: 'are those of the same environment' },
  },
  {
    name: 'does not find the rows of a pipeline that was removed',
    file: 'src/check/check-all.ts',
    find: '.filter(({ pipeline }) => !pipelines.find(pipeline))',
    replace: '.filter(({ pipeline }) => pipelines.find(pipeline))',
    caughtBy: { tests: 'test/src/cli/check.test.ts', title: 'exits with the code of the first fault' },
  },
  {
    name: 'exits with the code of the last fault',
    file: 'src/cli/commands/check.ts',
    find: 'const first = checks.find(({ ok }) => !ok)',
    replace: 'const first = checks.findLast(({ ok }) => !ok)',
    caughtBy: { tests: 'test/src/cli/check.test.ts', title: 'exits with the code of the first fault' },
  },
  {
    name: 'does not miss a required field in the sample sheet',
    file: 'src/check/check-columns.ts',
    find: '({ required, displayName }) => required || mapped.has',
    replace: '({ displayName }) => mapped.has',
    caughtBy: { tests: 'test/src/check/check-columns.test.ts', title: 'a field that the course requires is a fault' },
  },
]
