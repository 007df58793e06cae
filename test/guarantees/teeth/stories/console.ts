// Sabotaged versions of the console.

import type { Sabotage } from '../sabotage.ts'

const access = 'test/src/console/access.test.ts'
const reading = 'test/src/console/reading.test.ts'
const roles = 'test/src/console/roles.test.ts'
const decidingRows = 'test/src/console/decisions/runs-and-rows.test.ts'
const decidingCredentials = 'test/src/console/decisions/credentials.test.ts'

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
    file: 'src/platform/discover-provider.ts',
    find: '[...insecure, enableNonRepudiationChecks]',
    replace: '[...insecure]',
    caughtBy: {
      tests: 'test/src/console/sign-in/identity-provider.test.ts',
      title: 'is refused with a token',
    },
  },
  {
    name: 'lets a registrar revoke in the console',
    file: 'src/console/routes.ts',
    find: `'/people/:id/revoke', role: 'operator', answer: revoke }`,
    replace: `'/people/:id/revoke', role: 'registrar', answer: revoke }`,
    caughtBy: { tests: roles, title: 'only operators revoke and correct' },
  },
  {
    name: 'decides in the console about rows of other pipelines that a form names',
    file: 'src/console/decisions/held-alike.ts',
    find: 'if (visible.length < ids.length)',
    replace: 'if (visible.length < 0)',
    caughtBy: { tests: decidingRows, title: 'a form can name no row of another pipeline' },
  },
  {
    name: 'decides about a held row as it is now, whatever the page of the console showed',
    file: 'src/console/decisions/held-row.ts',
    find: `answer: answer ?? 'sent', seen }, decision)`,
    replace: `answer: answer ?? 'sent' }, decision)`,
    caughtBy: { tests: decidingRows, title: 'a held row that has moved since it was seen is left as it is' },
  },
  {
    name: 'sends a held row again although the page of the console has not shown the report',
    file: 'src/console/decisions/held-row.ts',
    find: "answer === 'not sent' && !(await wasShown(",
    replace: 'answer === null && !(await wasShown(',
    caughtBy: { tests: decidingRows, title: 'to whom the page has not shown what is in the report' },
  },
  {
    name: 'takes another answer than that they were sent about held rows that are decided together',
    file: 'src/console/decisions/held-alike.ts',
    find: "visit.form.get('answer') !== 'sent'",
    replace: "visit.form.get('answer') === 'nothing'",
    caughtBy: { tests: decidingRows, title: 'held rows of one reason are decided together' },
  },
  {
    name: 'counts the own item of a row as a second one if somebody decided about the row meanwhile',
    file: 'src/ledger/report/apply-report.ts',
    find: 'own.has(issuanceId) && own.get(issuanceId) !== key',
    replace: 'own.get(issuanceId) !== key',
    caughtBy: { tests: 'test/src/ledger/report/apply-report.test.ts', title: 'is not counted as a second one' },
  },
  {
    name: 'decides in the console without a reason',
    file: 'src/console/decisions/decision-form.ts',
    find: `if (reason === '')`,
    replace: `if (reason === 'none')`,
    caughtBy: { tests: decidingRows, title: 'nothing is decided without a reason' },
  },
  {
    name: 'tells others in the console what a person decided',
    file: 'src/ledger/console/acts.ts',
    find: 'AND id = $2 AND by = $3',
    replace: 'AND id = $2 AND $3::text IS NOT NULL',
    caughtBy: { tests: decidingRows, title: 'shown to that person only' },
  },
  {
    name: 'revokes by a page that did not show the last revocation',
    file: 'src/ledger/revocations/request-revocation.ts',
    find: 'if (rowCount === 0 || seen.revocation !== last)',
    replace: 'if (rowCount === 0)',
    caughtBy: { tests: decidingCredentials, title: 'of which the last revocation was not shown' },
  },
  {
    name: 'revokes for a correction in the console while the course cannot issue',
    file: 'src/console/decisions/correct.ts',
    find: 'if (whyNot !== null)',
    replace: 'if (whyNot === null && !console)',
    caughtBy: { tests: decidingCredentials, title: 'nothing is corrected while the course cannot issue' },
  },
]
