// Sabotaged versions of the health pages, the endpoints and `check`.

import type { Sabotage } from '../sabotage.ts'

export const webAndCheckSabotages: readonly Sabotage[] = [
  {
    name: 'warns only of a Redis whose clock is behind',
    file: 'src/check/startup-checks.ts',
    find: 'Math.max(before - redisMs, redisMs - after)',
    replace: 'before - redisMs',
    caughtBy: { tests: 'test/src/check/startup-checks.test.ts', title: 'causes a warning that states the difference' },
  },
  {
    name: 'answers 200 although a loop has stalled',
    file: 'src/web/serve-web.ts',
    find: 'return reply.code(found.live ? 200 : 503).send(found)',
    replace: 'return reply.code(200).send(found)',
    caughtBy: { tests: 'test/src/web/health.test.ts', title: 'says so by its HTTP status' },
  },
  {
    name: 'delays the fifth failed login already',
    file: 'src/web/failed-logins.ts',
    find: 'failures <= immediateFailures',
    replace: 'failures < immediateFailures',
    caughtBy: { tests: 'test/src/web/failed-logins.test.ts', title: 'the first failures are answered immediately' },
  },
  {
    name: 'releases the memory of a body twice',
    file: 'src/web/body-memory.ts',
    find: 'if (!released) takenBytes -= size',
    replace: 'takenBytes -= size',
    caughtBy: { tests: 'test/src/web/body-memory.test.ts', title: 'its memory is released once' },
  },
  {
    name: 'counts batches where it should count their rows',
    file: 'src/web/open-metrics.ts',
    find: 'rows.inc({ pipeline, outcome }, size)',
    replace: 'rows.inc({ pipeline, outcome }, count)',
    caughtBy: { tests: 'test/src/web/metrics.test.ts', title: 'agree with the service, the ledger and each other' },
  },
  {
    name: 'is ready although its database has become a standby',
    file: 'src/web/health.ts',
    find: 'return rows[0]?.writes ?? false',
    replace: 'return rows.length > 0',
    caughtBy: { tests: 'test/src/web/health.test.ts', title: 'whose database refuses writes, as after a failover' },
  },
  {
    name: 'trusts a forwarded address from any proxy once one is configured',
    file: 'src/web/serve-web.ts',
    find: 'const trustProxy = [...app.settings.file.web.trustedProxies]',
    replace: 'const trustProxy = app.settings.file.web.trustedProxies.length > 0',
    caughtBy: {
      tests: 'test/stories/lms/faulty-settings.test.ts',
      title: 'trusts a sender address only if a trusted proxy reports it',
    },
  },
  {
    name: 'counts a held row among the open ones in the age that the alarm uses',
    file: 'src/web/ledger-gauges.ts',
    find: 'row.pipeline === pipeline && openStates.includes(row.state)',
    replace: 'row.pipeline === pipeline && agedStates.includes(row.state)',
    caughtBy: { tests: 'test/src/web/gauges.test.ts', title: 'show each figure under its name' },
  },
  {
    name: 'turns the newest connection away instead of the oldest',
    file: 'src/web/limit-connections.ts',
    find: 'if (open.size >= maxConnections) chooseToClose(socket).destroy()',
    replace: 'if (open.size >= maxConnections) return void socket.destroy()',
    caughtBy: {
      tests: 'test/stories/lms/many-unauthenticated-clients.test.ts',
      title: 'cannot hold connections forever',
    },
  },
  {
    name: 'leaves the version out of the refusal of a large xAPI statement',
    file: 'src/web/serve-inbound.ts',
    find: 'answerFailure(error, reply.headers(endpoint.failureHeaders?.({ headers: joinHeaders(request.headers) }) ?? {}))',
    replace: 'answerFailure(error, reply)',
    caughtBy: { tests: 'test/stories/lms/inbound-endpoints.test.ts', title: 'reject a body that is too large' },
  },
  {
    name: 'says that the clock is behind when it is ahead',
    file: 'src/check/check-site-clock.ts',
    find: `offsetMs > 0 ? 'behind' : 'ahead of'`,
    replace: `offsetMs < 0 ? 'behind' : 'ahead of'`,
    caughtBy: { tests: 'test/src/check/check-systems.test.ts', title: 'whose clock differs from ours is reported' },
  },
  {
    name: 'compares courses by what the configuration calls them',
    file: 'src/check/check-identities.ts',
    find: 'const course = await service.courses.uuidOf(pipeline)',
    replace: 'const course = configuredCourse',
    caughtBy: { tests: 'test/src/cli/check.test.ts', title: 'even if one names the course by its number' },
  },
  {
    name: 'leaves a folder behind where it has checked the data directory',
    file: 'src/check/check-data-dir.ts',
    find: 'await rmdir(await mkdtemp(join(parent,',
    replace: 'await access(await mkdtemp(join(parent,',
    caughtBy: {
      tests: 'test/src/check/check-data-dir.test.ts',
      title: 'a missing directory is checked where it will be created',
    },
  },
  {
    name: 'refuses a database that is not durable in development too',
    file: 'src/check/check-durability.ts',
    find: `if (grave && file.service.environment === 'production')`,
    replace: 'if (grave)',
    caughtBy: {
      tests: 'test/src/check/check-durability.test.ts',
      title: 'or in development, is accepted with a warning',
    },
  },
  {
    name: 'finds in `check` no doubt about an old backup',
    file: 'src/check/check-sending.ts',
    find: 'ledger.sendingStops.doubt(await mark.read())',
    replace: 'ledger.sendingStops.doubt([])',
    caughtBy: {
      tests: 'test/stories/workers/ledger-mark.test.ts',
      title: 'is reported by check and status before a worker has compared it',
    },
  },
  {
    name: 'asks for the courses although the service refuses the keys',
    file: 'src/check/check-all.ts',
    find: 'if (!service || !accepted?.ok) {',
    replace: 'if (!service || !accepted) {',
    caughtBy: { tests: 'test/src/cli/check.test.ts', title: 'exits with 4 if the service refuses the keys' },
  },
  {
    name: 'takes any worker on its port for one of its own ledger',
    file: 'src/check/check-port.ts',
    find: 'if (!ledger || workers.some((worker) => worker.host === hostname()))',
    replace: 'if (!ledger || workers.every((worker) => worker.host === hostname()))',
    caughtBy: {
      tests: 'test/src/cli/check.test.ts',
      title: 'lists each running worker, one with an older configuration, and a port in use',
    },
  },
  {
    name: 'does not show production the probe of development',
    file: 'src/check/probe-notice.ts',
    find: `await ledger.probes.find(course, 'development')`,
    replace: 'await ledger.probes.find(course, ledger.environment)',
    caughtBy: {
      tests: 'test/src/cli/probe.test.ts',
      title: 'is shown with its environment if production',
    },
  },
  {
    name: 'does not say when a refused event can be sent again',
    file: 'src/web/serve-inbound.ts',
    find: `.header('retry-after', retryAfterS)`,
    replace: '',
    caughtBy: { tests: 'test/stories/lms/inbound-endpoints.test.ts', title: 'return 503 while nothing can be stored' },
  },
  {
    name: 'shows figures of yesterday',
    file: 'src/web/metrics-page.ts',
    find: 'up.database && ageMs <= maxAgeMs ? lastRead : null',
    replace: 'up.database ? lastRead : null',
    caughtBy: { tests: 'test/src/web/metrics-page.test.ts', title: 'shows figures of the last five minutes' },
  },
  {
    name: 'complains of a system that was removed from the configuration',
    file: 'src/web/health.ts',
    find: 'if (!watched || unavailableSince === null) return []',
    replace: 'if (unavailableSince === null) return []',
    caughtBy: { tests: 'test/src/web/health.test.ts', title: 'but not of a system that was removed' },
  },
]
