// Sabotaged versions of the console.

import type { Sabotage } from '../sabotage.ts'

const access = 'test/src/console/access.test.ts'
const reading = 'test/src/console/reading.test.ts'

export const consoleSabotages: readonly Sabotage[] = [
  {
    name: 'serves the console to a page that rebinds its name',
    file: 'src/console/serve-console.ts',
    find: 'if (!console.address.isOwnHost(request.headers.host))',
    replace: 'if (!request.headers.host)',
    caughtBy: { tests: access, title: 'refuses every request for another host' },
  },
  {
    name: 'opens every page of the console to every role',
    file: 'src/console/routes.ts',
    find: 'ranks[role] >= ranks[needed]',
    replace: 'ranks[role] >= 0',
    caughtBy: { tests: access, title: 'whose role changes at once' },
  },
  {
    name: 'keeps a session of the console alive by what its page asks for by itself',
    file: 'src/console/serve-console.ts',
    find: "extends: !('byItself' in route && route.byItself)",
    replace: 'extends: true',
    caughtBy: { tests: access, title: 'ends a session after half an hour without a page' },
  },
  {
    name: 'shows a registrar the runs of other pipelines by their id',
    file: 'src/ledger/console/run-pages.ts',
    find: 'AND environment = $1 AND ($3::text[] IS NULL OR pipeline = ANY($3))',
    replace: 'AND environment = $1 AND ($3::text[] IS NULL OR true)',
    caughtBy: { tests: reading, title: 'a registrar only its own pipelines' },
  },
  {
    name: 'shows a run of the console on two pages',
    file: 'src/ledger/console/run-pages.ts',
    find: '(run.received_at, run.id) < (',
    replace: '(run.received_at, run.id) <= (',
    caughtBy: { tests: reading, title: 'the runs that fit, page by page' },
  },
  {
    name: 'accepts a token of the identity provider whatever key signed it',
    file: 'src/console/sign-in/identity-provider.ts',
    find: '[...insecure, enableNonRepudiationChecks]',
    replace: '[...insecure]',
    caughtBy: {
      tests: 'test/src/console/sign-in/identity-provider.test.ts',
      title: 'is refused with a token',
    },
  },
]
