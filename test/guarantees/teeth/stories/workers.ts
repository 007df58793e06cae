// Sabotaged versions of the process: its signals, its heartbeats, its warnings and its limits.

import type { Sabotage } from '../sabotage.ts'

export const workerSabotages: readonly Sabotage[] = [
  {
    name: 'never ends, however often it is asked to',
    file: 'jobs/abort-on-signal.ts',
    find: `running.exit(name === 'SIGINT' ? 130 : 1)`,
    replace: 'controller.abort(name)',
    caughtBy: { tests: 'test/stories/workers/repeated-signals.test.ts', title: 'asks for an orderly end' },
  },
  {
    name: 'takes one Ctrl-C for two',
    file: 'jobs/abort-on-signal.ts',
    find: 'const sameSignalMs = 3_000',
    replace: 'const sameSignalMs = 0',
    caughtBy: { tests: 'test/stories/workers/repeated-signals.test.ts', title: 'within three seconds is the same one' },
  },
  {
    name: 'gives an outcome up ten seconds after its claim',
    file: 'jobs/persist-outcome.ts',
    find: 'claimedAtMs + tuning.deadlineMs + marginMs',
    replace: 'claimedAtMs + marginMs',
    caughtBy: { tests: 'test/stories/workers/persist-outcome.test.ts', title: 'is written when the database is back' },
  },
  {
    name: 'writes outcomes of calls that the ledger has given up as lost',
    file: 'jobs/persist-outcome.ts',
    find: 'const marginMs = 10_000',
    replace: 'const marginMs = 20_000',
    caughtBy: { tests: 'test/stories/workers/persist-outcome.test.ts', title: 'is given up before the ledger' },
  },
  {
    name: 'warns only of a clock that is behind the service’s',
    file: 'jobs/worker/compare-clocks.ts',
    find: 'if (Math.abs(offset) >',
    replace: 'if (offset >',
    caughtBy: { tests: 'test/stories/workers/warnings-at-start.test.ts', title: 'is compared once it has answered' },
  },
  {
    name: 'names one pipeline twice where two identify people differently',
    file: 'jobs/worker/warn-of-differing-identities.ts',
    find: 'label: names[1]',
    replace: 'label: names[0]',
    caughtBy: {
      tests: 'test/stories/workers/warnings-at-start.test.ts',
      title: 'that identify people differently are named',
    },
  },
  {
    name: 'declares others dead after it was away itself',
    file: 'jobs/worker/worker-registration.ts',
    find: ' && now - life.last < silent',
    replace: '',
    caughtBy: { tests: 'test/stories/workers/who-may-reap.test.ts', title: 'may reap after its heartbeats had no gap' },
  },
  {
    name: 'forgets that it was away once it beats again',
    file: 'jobs/worker/heartbeat.ts',
    find: 'if (now - life.last >= silent) life.since = now',
    replace: '',
    caughtBy: { tests: 'test/stories/workers/who-may-reap.test.ts', title: 'may reap after its heartbeats had no gap' },
  },
  {
    name: 'does not log which calls were lost',
    file: 'jobs/worker/sweep.ts',
    find: `for (const attempt of lost) log.event('attempt.lost', { attempt })`,
    replace: '',
    caughtBy: { tests: 'test/stories/workers/lost-attempts.test.ts', title: 'is marked as lost by the only worker' },
  },
  {
    name: 'drops a late outcome in silence',
    file: 'jobs/high-water-mark.ts',
    find: `if (found === 'late') log.event('outcome.late', logFields)`,
    replace: '',
    caughtBy: { tests: 'test/stories/workers/lost-attempts.test.ts', title: 'changes nothing, and is logged' },
  },
  {
    name: 'does not log that another process has a lower limit',
    file: 'src/app/request-limits.ts',
    find: `onLimit: (gate, limit) => log.event('limit.shared', { where: gate, count: limit }),`,
    replace: '',
    caughtBy: { tests: 'test/src/app/request-limits.test.ts', title: 'log that the lowest limit counts' },
  },
  {
    name: 'makes more calls at a time to a Moodle site than its setting allows',
    file: 'src/lms/systems/moodle.ts',
    find: 'gateFor(name, { perSecond, atOnce })',
    replace: 'gateFor(name, { perSecond, atOnce: 10 })',
    caughtBy: { tests: 'test/src/app/system-limits.test.ts', title: 'as atOnce says' },
  },
  {
    name: 'sends on although a newer version has migrated its ledger',
    file: 'src/ledger/attempts/fence.ts',
    find: `      await checkOn(sql)
`,
    replace: '',
    caughtBy: { tests: 'test/src/ledger/attempts/fence.test.ts', title: 'refuses claims by an older version' },
  },
  {
    name: 'leaves the queued jobs of a dead worker until they count as lost',
    file: 'jobs/worker/rescue-orphans.ts',
    find: `  await ledger.work.forgetEnqueued()
  await ledger.workers.forget(dead)`,
    replace: '  await ledger.workers.forget(dead)',
    caughtBy: { tests: 'test/stories/workers/lost-attempts.test.ts', title: 'is queued again at once' },
  },
  {
    name: 'ends a pause early because the service names a shorter one',
    file: 'src/platform/limits/pauses.ts',
    find: 'until: Math.max(before.until, now + ms)',
    replace: 'until: now + ms',
    caughtBy: { tests: 'test/src/platform/limits/slots-conformance.test.ts', title: 'but never shortens it' },
  },
  {
    name: 'ends a pause of all workers early because the service names a shorter one',
    file: 'src/platform/limits/slot-scripts.ts',
    find: 'if asked and now + length > untilTime then',
    replace: 'if asked then',
    caughtBy: { tests: 'test/src/platform/limits/slots-conformance.test.ts', title: 'but never shortens it' },
  },
]
