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
    caughtBy: {
      tests: 'test/src/cli/find-run-id.test.ts',
      title: 'names a run only if no other run id begins with it',
    },
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
    find: 'const matches = targets.filter((target) => target.correctedBy === null)',
    replace: 'const matches = targets',
    caughtBy: {
      tests: 'test/src/cli/revoke-and-correct.test.ts',
      title: 'lists the changed rows that are waiting, and asks once before it applies one of them',
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
    file: 'src/cli/text/revocation-text.ts',
    find: `values.length > 0 ? values.map(maskValue).join(', ') : 'a person without data in the report'`,
    replace: `values.length > 0 ? values.join(', ') : 'a person without data in the report'`,
    caughtBy: {
      tests: 'test/src/cli/text/revocation-text.test.ts',
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
  {
    name: 'ends `issue` with 0 although it lost its lock',
    file: 'src/cli/explain-ending.ts',
    find: 'return exitCode.fault',
    replace: 'return exitCode.ok',
    caughtBy: { tests: 'test/src/cli/explain-ending.test.ts', title: 'a run that ends with' },
  },
  {
    name: 'ends `issue` with 0 although nothing is sent any more',
    file: 'src/cli/explain-ending.ts',
    find: `if (ending === 'stopped') return exitCode.needsPerson`,
    replace: `if (ending === 'stopped') return exitCode.ok`,
    caughtBy: { tests: 'test/src/cli/explain-ending.test.ts', title: 'while sending is stopped' },
  },
  {
    name: 'waits for a service that is away for as long as the timeout allows',
    file: 'src/cli/follow-run.ts',
    find: 'const fault = ownWorker ? await checkService(now.states) : null',
    replace: 'const fault = null',
    caughtBy: { tests: 'test/src/cli/follow-run.test.ts', title: 'the service has not answered for a while' },
  },
  {
    name: 'waits for days for a course that cannot issue',
    file: 'src/cli/follow-run.ts',
    find: `if (!options.untilFinal && published && (await courseWaits(app, now))) return end('course waits')`,
    replace: '',
    caughtBy: { tests: 'test/src/cli/follow-run.test.ts', title: 'its course cannot issue' },
  },
  {
    name: 'ends `revoke` with 3 although the service is away',
    file: 'src/cli/commands/revoke.ts',
    find: 'if (code !== exitCode.ok) return code',
    replace: '',
    caughtBy: { tests: 'test/src/cli/service-away.test.ts', title: 'revoke exits with 4' },
  },
  {
    name: 'records root as the person who decided',
    file: 'src/cli/operator-decision.ts',
    find: 'cli.env.SUDO_USER ?? ',
    replace: '',
    caughtBy: { tests: 'test/src/cli/operator-decision.test.ts', title: 'who called sudo' },
  },
  {
    name: 'ends `events` with 0 although deliveries have failed',
    file: 'src/cli/text/learning-system-lines.ts',
    find: 'refused + incomplete + drifted + failed > 0',
    replace: 'refused + incomplete + drifted > 0',
    caughtBy: { tests: 'test/src/cli/learning-system-lines.test.ts', title: 'needs a person if it is failed' },
  },
  {
    name: 'forgets a missed night after a day',
    file: 'src/cli/text/inbox-lines.ts',
    find: 'const shownMs = 7 * 86_400_000',
    replace: 'const shownMs = 86_400_000',
    caughtBy: { tests: 'test/src/cli/text/inbox-lines.test.ts', title: 'is shown for a week' },
  },
]
