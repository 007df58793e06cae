// Sabotaged versions of the commands.

import type { Sabotage } from '../sabotage.ts'

export const cliSabotages: readonly Sabotage[] = [
  {
    name: 'ends with exit code 0 after it lost its lock',
    file: 'src/cli/commands/start.ts',
    find: 'return isSignal ? exitCode.ok : exitCode.fault',
    replace: 'return exitCode.ok',
    caughtBy: { tests: 'test/src/cli/start.test.ts', title: 'loses the lock that makes it the only worker' },
  },
  {
    name: 'decides about the oldest of several runs whose ids begin alike',
    file: 'src/cli/find-run-id.ts',
    find: 'if (found && more.length === 0) return found',
    replace: 'if (found) return found',
    caughtBy: { tests: 'test/src/cli/find-run-id.test.ts', title: 'names a run only if no other run begins so' },
  },
  {
    name: 'ends a dry run with exit code 0 although the first list would wait',
    file: 'src/cli/commands/issue-dry-run.ts',
    find: 'document.invalid > 0 || document.brake || document.reportShows',
    replace: 'document.invalid > 0 || document.brake',
    caughtBy: { tests: 'test/src/cli/issue-first-list.test.ts', title: 'and by a dry run' },
  },
  {
    name: 'takes any answer that begins with y for a yes',
    file: 'src/cli/confirm.ts',
    find: 'y(es)?',
    replace: 'y.*',
    caughtBy: { tests: 'test/src/cli/confirm.test.ts', title: 'treats the line' },
  },
  {
    name: 'offers a credential for correction that was already corrected',
    file: 'src/cli/correction-target.ts',
    find: 'const matches = targets.filter((each) => each.correctedBy === null)',
    replace: 'const matches = targets',
    caughtBy: {
      tests: 'test/src/cli/revoke-and-correct.test.ts',
      title: 'lists the changed rows that wait, and asks once before it applies one of them',
    },
  },
  {
    name: 'revokes before a correction although the badge template is not the course’s',
    file: 'src/cli/why-not-issuable.ts',
    find: 'return foreign ?',
    replace: `return foreign?.setting === 'template' ?`,
    caughtBy: {
      tests: 'test/src/cli/revoke-and-correct.test.ts',
      title: 'revokes nothing while the course cannot issue',
    },
  },
  {
    name: 'ends `events` with exit code 0 although events are held',
    file: 'src/cli/text/learning-system-lines.ts',
    find: 'configured && (strange > 0 || held !== null)',
    replace: 'configured && strange > 0',
    caughtBy: {
      tests: 'test/stories/lms/one-faulty-course.test.ts',
      title: 'wait without blocking others, are shown, and are processed once it is fixed',
    },
  },
  {
    name: 'shows whose credential of the report is revoked without masking it',
    file: 'src/cli/text/revocation-words.ts',
    find: `values.length > 0 ? values.map(maskValue).join(', ') : 'a person without data in the report'`,
    replace: `values.length > 0 ? values.join(', ') : 'a person without data in the report'`,
    caughtBy: {
      tests: 'test/src/cli/text/revocation-words.test.ts',
      title: 'is masked, both from the ledger and from the report',
    },
  },
  {
    name: 'lets a probe send e-mail to made-up people',
    file: 'src/cli/commands/probe.ts',
    find: 'options: { ...pipeline.options, sendEmail: false, attachCertificate: false }',
    replace: 'options: { sendEmail: false, attachCertificate: false, ...pipeline.options }',
    caughtBy: { tests: 'test/src/cli/probe.test.ts', title: 'made-up people get no e-mail' },
  },
  {
    name: 'replays the completions of the sender instead of those of the system that confirms it',
    file: 'src/cli/commands/events.ts',
    find: 'learning.endpoint(system)?.confirm ?? system',
    replace: 'learning.endpoint(system)?.name ?? system',
    caughtBy: { tests: 'test/src/cli/events.test.ts', title: 'returns completions of a refused run to waiting' },
  },
  {
    name: 'ends `report` with exit code 4 although only the limit was reached',
    file: 'src/cli/commands/report.ts',
    find: 'return !complete && items.length < limit',
    replace: 'return !complete && items.length <= limit',
    caughtBy: {
      tests: 'test/src/cli/lookups.test.ts',
      title: 'exits with 4 if the report is incomplete, but with 0 if the limit was reached',
    },
  },
  {
    name: 'takes a missing permission for an error in the configuration',
    file: 'src/cli/exit-code.ts',
    find: `endpoint === 'token' || status === 401 || status === 403`,
    replace: `endpoint === 'token' || status === 401`,
    caughtBy: { tests: 'test/src/cli/exit-code.test.ts', title: 'is 4 for' },
  },
]
