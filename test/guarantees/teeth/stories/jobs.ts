// Sabotaged versions of the jobs.

import type { Sabotage } from '../sabotage.ts'

export const jobsSabotages: readonly Sabotage[] = [
  {
    name: 'counts an interrupted scan of an inbox as done',
    file: 'jobs/collect.ts',
    find: 'if (signal?.aborted) return null',
    replace: '',
    caughtBy: { tests: 'test/stories/files/inbox.test.ts', title: 'if a scan was interrupted' },
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
    name: 'leaves the marker of a copy behind',
    file: 'jobs/inbox/receive-files.ts',
    find: "await moveTakenFile(file.path, 'done', { sentence, marker })",
    replace: "await moveTakenFile(file.path, 'done', { sentence, marker: null })",
    caughtBy: { tests: 'test/stories/files/inbox.test.ts', title: 'moves a file’s marker with it' },
  },
  {
    name: 'leaves the marker of a finished file behind',
    file: 'jobs/inbox/move-finished-files.ts',
    find: 'moveTakenFile(run.sourcePath, targetFolder, { sentence, marker })',
    replace: 'moveTakenFile(run.sourcePath, targetFolder, { sentence, marker: null })',
    caughtBy: { tests: 'test/stories/files/inbox.test.ts', title: 'moves a file’s marker with it' },
  },
  {
    name: 'does not log a known sending stop when it starts',
    file: 'jobs/high-water-mark.ts',
    find: 'if (!isNew) logStop(tools, { stop, isNew: true })',
    replace: 'if (isNew) logStop(tools, { stop, isNew })',
    caughtBy: {
      tests: 'test/stories/workers/ledger-rolled-back.test.ts',
      title: 'is reported by status, check and the other commands',
    },
  },
  {
    name: 'logs an unusable inbox again at every scan',
    file: 'jobs/collect.ts',
    find: `if (isNew) log.event('inbox.unusable'`,
    replace: `if (isNew !== null) log.event('inbox.unusable'`,
    caughtBy: { tests: 'test/stories/files/inbox-scan-times.test.ts', title: 'is reported once if it is unavailable' },
  },
  {
    name: 'forgets that a file was already moved to refused when it was killed',
    file: 'jobs/inbox/move-finished-files.ts',
    find: 'for (const path of [sourcePath, moved])',
    replace: 'for (const path of [sourcePath])',
    caughtBy: {
      tests: 'test/stories/files/inbox.test.ts',
      title: 'moves a file that grew after it was read to `refused`',
    },
  },
  {
    name: 'reads the files of the other environment',
    file: 'jobs/intake.ts',
    find: `if (run?.state !== 'received' || run.environment !== ledger.environment) return null`,
    replace: `if (run?.state !== 'received') return null`,
    caughtBy: {
      tests: 'test/stories/workers/two-environments.test.ts',
      title: 'reads none of their files and sends none of their rows',
    },
  },
  {
    name: 'says that no work can be queued long after Redis is back',
    file: 'jobs/note-obstacles.ts',
    find: `app.ledger.obstacles.clear('sweep')`,
    replace: 'null',
    caughtBy: { tests: 'test/stories/issuing/what-a-run-waits-for.test.ts', title: 'shows that no work can be queued' },
  },
  {
    name: 'logs a refused delivery again at every attempt',
    file: 'jobs/lms/deliver.ts',
    find: `if (outcome.kind === 'later' && outcome.refused && !due.refused)`,
    replace: `if (outcome.kind === 'later' && outcome.refused)`,
    caughtBy: {
      tests: 'test/stories/lms/moodle-refuses.test.ts',
      title: 'is tried three times at first, and once at each later attempt',
    },
  },
  {
    name: 'reports a profile that others changed again every night',
    file: 'jobs/lms/detect-drift.ts',
    find: `if (found.found === 'same' || (found.found === 'other' && delivery.state === 'drifted')) continue`,
    replace: `if (found.found === 'same') continue`,
    caughtBy: {
      tests: 'test/stories/lms/changes-after-completion.test.ts',
      title: 'that others changed is not overwritten but reported',
    },
  },
  {
    name: 'lets an event wait for a course that it is not about',
    file: 'jobs/lms/ingest-event.ts',
    find: 'if (!ingested.concernsUs) ingested.holdReason = possibleFailure',
    replace: 'ingested.holdReason ??= possibleFailure',
    caughtBy: {
      tests: 'test/stories/lms/one-faulty-course.test.ts',
      title: 'wait without blocking others, are shown, and are processed once it is fixed',
    },
  },
  {
    name: 'issues a credential for a statement that its sender has voided',
    file: 'jobs/lms/process-events.ts',
    find: 'const hints = event.voided && confirmingSystem === null ? [] : allHints',
    replace: 'const hints = event.voided && confirmingSystem !== null ? [] : allHints',
    caughtBy: {
      tests: 'test/stories/lms/malicious-events.test.ts',
      title: 'that its sender voided before it was processed',
    },
  },
  {
    name: 'leaves refused completions lying after a restart with corrected settings',
    file: 'jobs/lms/register-lms.ts',
    find: 'await ledger.completions.waitAgain()',
    replace: '',
    caughtBy: {
      tests: 'test/stories/lms/repeated-and-late-events.test.ts',
      title: 'is read again when a worker starts with a corrected configuration',
    },
  },
  {
    name: 'does not look in the report whether a refused revocation was made before',
    file: 'jobs/revocations.ts',
    find: `['unconfirmed', 'accepted', 'refused']`,
    replace: `['unconfirmed', 'accepted']`,
    caughtBy: {
      tests: 'test/stories/issuing/revocations.test.ts',
      title: 'that the service refuses counts as seen if the credential was already revoked',
    },
  },
  {
    name: 'never writes the invalid rows that a crash kept from being recorded',
    file: 'jobs/write-back.ts',
    find: `await writeMissingInvalidRows(tools, runId)
    await writeResults(tools, runId)`,
    replace: 'await writeResults(tools, runId)',
    caughtBy: {
      tests: 'test/stories/issuing/same-person-same-file.test.ts',
      title: 'whose invalid-rows file was not recorded because of a crash',
    },
  },
  {
    name: 'excuses a blocked sweep although the database accepts connections',
    file: 'jobs/worker/watchdog.ts',
    find: 'if (isSweepWaiting && !(await canConnect()))',
    replace: 'if (isSweepWaiting)',
    caughtBy: {
      tests: 'test/src/web/health.test.ts',
      title: 'does not fail while the sweep waits for a database that accepts no connections',
    },
  },
  {
    name: 'issues a list that was rewritten while it was read',
    file: 'jobs/intake.ts',
    find: `  await checkUnchanged()
  const { format,`,
    replace: '  const { format,',
    caughtBy: { tests: 'test/stories/issuing/same-person-same-file.test.ts', title: 'is rewritten while it is read' },
  },
  {
    name: 'asks a system for its other courses although it asked for a pause',
    file: 'jobs/lms/poll-lms.ts',
    find: ' && failure.retryAfterMs === null',
    replace: '',
    caughtBy: { tests: 'test/stories/lms/throttled-polls.test.ts', title: 'ends with the throttled call' },
  },
  {
    name: 'gives a check of profiles up for the night if the site is away for a moment',
    file: 'jobs/lms/detect-drift.ts',
    find: 'await ledger.drift.postpone(system, unavailableRetryMs)',
    replace: 'await ledger.drift.end(system, nightlyScheduleOf(lms, clock.now()).nextAt)',
    caughtBy: { tests: 'test/stories/lms/profile-checks.test.ts', title: 'is retried after ten minutes' },
  },
  {
    name: 'sends on after the service has refused its keys',
    file: 'jobs/pause-after-call.ts',
    find: 'await ledger.courses.pause(course, keysRefused, keysRefusedMs)',
    replace: '',
    caughtBy: { tests: 'test/stories/issuing/canary.test.ts', title: 'pauses for a minute' },
  },
  {
    name: 'logs at every try that an archive is stuck',
    file: 'jobs/archive.ts',
    find: 'if (isNew) tools.log',
    replace: 'if (isNew !== null) tools.log',
    caughtBy: {
      tests: 'test/stories/issuing/archive-certificates.test.ts',
      title: 'creates only the last level of its path',
    },
  },
  {
    name: 'does not pause a course that can no longer issue',
    file: 'jobs/issue.ts',
    find: 'await ledger.courses.pause(course, why, pauseNotReadyMs)',
    replace: '',
    caughtBy: { tests: 'test/stories/issuing/canary.test.ts', title: 'is given back, and its course pauses' },
  },
  {
    name: 'sends although it could not read the report to its end',
    file: 'jobs/take-baseline.ts',
    find: 'if (!scan.complete) throw new BaselineError()',
    replace: 'void scan',
    caughtBy: {
      tests: 'test/stories/issuing/batch-not-sent.test.ts',
      title: 'while the report cannot be read to its end',
    },
  },
  {
    name: 'lets each sender wait for a scan on a connection of its own',
    file: 'jobs/take-baseline.ts',
    find: 'await senders.baselineInTurn(async () => {',
    replace: 'await (async (work: () => Promise<void>) => work())(async () => {',
    caughtBy: { tests: 'test/stories/issuing/many-calls.test.ts', title: 'keep connections for the scan' },
  },
  {
    name: 'goes on with many calls after one whose outcome is unknown',
    file: 'src/platform/limits/call-places.ts',
    find: 'places = 1\n',
    replace: 'void places\n',
    caughtBy: { tests: 'test/stories/issuing/many-calls.test.ts', title: 'the next one is made alone' },
  },
  {
    name: 'gives every pipeline the same share of the batches',
    file: 'jobs/worker/prepare-batches.ts',
    find: '({ name, ...pipelines.find(name) })',
    replace: '({ name, batch: pipelines.find(name)?.batch })',
    caughtBy: { tests: 'test/stories/issuing/shares.test.ts', title: 'get batches by their shares' },
  },
]
