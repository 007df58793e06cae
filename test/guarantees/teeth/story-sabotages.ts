// Sabotaged versions that a user or an operator would notice, and that all tests once accepted. Each names the test
// that catches it now.

import type { Sabotage } from './sabotage.ts'

export const storySabotages: readonly Sabotage[] = [
  {
    name: 'settles unknown outcomes although items of the report look alike',
    file: 'src/issuing/reconcile/resolve-unconfirmed.ts',
    find: 'if (!scan.complete || !scan.distinguishable)',
    replace: 'if (!scan.complete)',
    caughtBy: { tests: 'test/src/issuing/reconcile/resolve-unconfirmed.test.ts', title: 'cannot be told apart' },
  },
  {
    name: 'always gives the part file of a text the same name',
    file: 'src/files/inbox/write-text-safely.ts',
    find: 'randomUUID()',
    replace: 'randomUUID.length',
    caughtBy: { tests: 'test/src/files/inbox/write-text-safely.test.ts', title: 'that a killed writer left' },
  },
  {
    name: 'counts an interrupted scan of an inbox as done',
    file: 'jobs/collect.ts',
    find: 'if (signal?.aborted) return null',
    replace: '',
    caughtBy: { tests: 'test/stories/files/inbox.test.ts', title: 'if a scan was interrupted' },
  },
  {
    name: 'takes an event about course 51 for one about course 5',
    file: 'src/lms/systems/moodle-completions.ts',
    find: 'hint.course === String(course.id)',
    replace: 'hint.course.startsWith(String(course.id))',
    caughtBy: {
      tests: 'test/src/lms/systems/moodle-completions.test.ts',
      title: 'another id that begins with the same digit',
    },
  },
  {
    name: 'is healthy although a queue worker no longer takes jobs',
    file: 'src/platform/queue/stored-queues.ts',
    find: 'if (this.#stopped || [...this.#workers.values()].some((worker) => !worker.isRunning())) return false',
    replace: 'if (this.#stopped) return false',
    caughtBy: { tests: 'test/src/platform/queue/health.test.ts', title: 'has stopped taking jobs' },
  },
  {
    name: 'ends with exit code 0 after it lost its lock',
    file: 'src/cli/commands/start.ts',
    find: 'return isSignal ? exitCode.ok : exitCode.fault',
    replace: 'return exitCode.ok',
    caughtBy: { tests: 'test/src/cli/start.test.ts', title: 'loses the lock that makes it the only worker' },
  },
  {
    name: 'ends the connections of others although it was the one that stalled',
    file: 'jobs/worker/evict-stalled.ts',
    find: 'if (exclusive || !canReap()) return',
    replace: 'if (exclusive) return',
    caughtBy: {
      tests: 'test/stories/workers/stalled-worker.test.ts',
      title: 'only by a worker that can tell who stalled',
    },
  },
  {
    name: 'warns only of a Redis whose clock is behind',
    file: 'src/check/startup-checks.ts',
    find: 'Math.max(before - redisMs, redisMs - after)',
    replace: 'before - redisMs',
    caughtBy: { tests: 'test/src/check/startup-checks.test.ts', title: 'a Redis whose clock is ahead' },
  },
  {
    name: 'reads one row more than the limit allows',
    file: 'src/files/tables/csv/number-rows.ts',
    find: 'if (row > limits.rows)',
    replace: 'if (row > limits.rows + 1)',
    caughtBy: { tests: 'test/src/files/tables/corpus/corpus.test.ts', title: 'has more rows than the limit' },
  },
  {
    name: 'delivers an outcome although its credential has moved to another state',
    file: 'src/ledger/lms/deliveries.ts',
    find: 'AND i.pipeline = $4 AND i.state = t.wanted',
    replace: 'AND i.pipeline = $4',
    caughtBy: {
      tests: 'test/src/ledger/lms/deliveries.test.ts',
      title: 'once its credential has moved to another state',
    },
  },
  {
    name: 'leaves the marker of a copy behind',
    file: 'jobs/inbox/receive-files.ts',
    find: "await moveTakenFile(file.path, 'done', { sentence, marker })",
    replace: "await moveTakenFile(file.path, 'done', { sentence, marker: null })",
    caughtBy: { tests: 'test/stories/files/inbox.test.ts', title: 'moves the marker of a file with it' },
  },
  {
    name: 'leaves the marker of a finished file behind',
    file: 'jobs/inbox/move-finished-files.ts',
    find: 'moveTakenFile(run.sourcePath, targetFolder, { sentence, marker })',
    replace: 'moveTakenFile(run.sourcePath, targetFolder, { sentence, marker: null })',
    caughtBy: { tests: 'test/stories/files/inbox.test.ts', title: 'moves the marker of a file with it' },
  },
  {
    name: 'decides about the oldest of several runs whose ids begin alike',
    file: 'src/cli/find-run-id.ts',
    find: 'if (found && more.length === 0) return found',
    replace: 'if (found) return found',
    caughtBy: { tests: 'test/src/cli/find-run-id.test.ts', title: 'names a run only if no other run begins so' },
  },
  {
    name: 'answers 200 although a loop has stalled',
    file: 'src/web/serve-web.ts',
    find: 'return reply.code(found.live ? 200 : 503).send(found)',
    replace: 'return reply.code(200).send(found)',
    caughtBy: { tests: 'test/src/web/health.test.ts', title: 'shows so by the status of its page' },
  },
  {
    name: 'stores the Authorization header of an event',
    file: 'src/lms/systems/webhook.ts',
    find: 'Object.entries(headers).filter(([header]) => keptHeaders.includes(header))',
    replace: 'Object.entries(headers)',
    caughtBy: {
      tests: 'test/stories/lms/inbound-endpoints.test.ts',
      title: 'store no header that may contain a secret',
    },
  },
  {
    name: 'dates a completion of a Moodle in UTC',
    file: 'src/lms/systems/moodle-completions.ts',
    find: 'cellsOfLearner(learner, courseNames, at, settings.timeZone)',
    replace: "cellsOfLearner(learner, courseNames, at, 'UTC')",
    caughtBy: {
      tests: 'test/stories/lms/repeated-and-late-events.test.ts',
      title: 'are dated in the time zone of the site',
    },
  },
  {
    name: 'retries all refused outgoing events at one time',
    file: 'src/lms/targets/webhook.ts',
    find: 'nextTry(due.tries + 1, answer, clock.now(), random)',
    replace: 'nextTry(due.tries + 1, answer, clock.now(), () => 0)',
    caughtBy: { tests: 'test/src/lms/targets/webhook.test.ts', title: 'up to a tenth longer' },
  },
]
