// Every address of the console, and who may open it. A test asks for each of them in each role.

import type { ConsoleRole } from '#src/extensions/console/ledger/local-users.ts'
import { approvePage, approveRun, rejectPage, rejectRun } from './decisions/braked-run.ts'
import { correct, correctPage, previewCorrection } from './decisions/correct.ts'
import { heldRowPage, resolveHeldRow } from './decisions/held-row.ts'
import { retryRow, retryRowPage, retryRun, retryRunPage } from './decisions/retry.ts'
import { revoke, revokePage } from './decisions/revoke.ts'
import { waitingCorrectionsPage } from './decisions/waiting-corrections.ts'
import { downloadInvalidRows, downloadResults } from './pages/downloads.ts'
import { heldPage } from './pages/held.ts'
import { issuancePage } from './pages/issuance.ts'
import { logPage } from './pages/log.ts'
import { overviewFragment, overviewPage } from './pages/overview.ts'
import { runPage } from './pages/run.ts'
import { runProgressFragment } from './pages/run-progress.ts'
import { runsPage } from './pages/runs.ts'
import { peoplePage, searchPeople } from './pages/search-people.ts'
import { rehearsalFragment, rehearsalPage, showPeople } from './pages/upload/rehearsal.ts'
import { takeUpload, uploadPage } from './pages/upload/upload.ts'
import { discardUpload, issueList, rehearseAgain } from './pages/upload/upload-acts.ts'
import { ofUpload } from './pages/upload/visible-upload.ts'
import { accountPage, changePassword } from './sign-in/account-page.ts'
import { beginAtProvider, callbackPath, endAtProvider } from './sign-in/identity-provider.ts'
import { signInLocally, signOut } from './sign-in/local-sign-in.ts'
import { setPassword, welcomePage } from './sign-in/password-link.ts'
import { signInPage } from './sign-in/sign-in-page.ts'
import { ofIssuance, ofRun } from './visible-records.ts'
import type { Answer, Console, OpenVisit, Visit } from './visit.ts'

export type Route = { method: 'GET' | 'POST'; path: string } & (
  | { role: 'anyone'; answer: (console: Console, visit: OpenVisit) => Promise<Answer> }
  | {
      /** Anybody who has this role, or one that may do more. */
      role: ConsoleRole
      /** A page asks for it by itself, so it keeps no session alive. */
      byItself?: boolean
      /** Its form has a file. */
      takesFile?: boolean
      /** Its form has all fields of a course. */
      isLong?: boolean
      answer: (console: Console, visit: Visit) => Promise<Answer>
    }
)

export const consoleRoutes: readonly Route[] = [
  { method: 'GET', path: '/sign-in', role: 'anyone', answer: signInPage },
  { method: 'POST', path: '/sign-in', role: 'anyone', answer: signInLocally },
  { method: 'GET', path: '/sign-in/oidc', role: 'anyone', answer: beginAtProvider },
  { method: 'GET', path: callbackPath, role: 'anyone', answer: endAtProvider },
  { method: 'GET', path: '/welcome', role: 'anyone', answer: welcomePage },
  { method: 'POST', path: '/welcome', role: 'anyone', answer: setPassword },
  { method: 'POST', path: '/sign-out', role: 'viewer', answer: signOut },
  { method: 'GET', path: '/account', role: 'viewer', answer: accountPage },
  { method: 'POST', path: '/account/password', role: 'viewer', answer: changePassword },

  { method: 'GET', path: '/', role: 'viewer', answer: overviewPage },
  { method: 'GET', path: '/overview', role: 'viewer', byItself: true, answer: overviewFragment },
  { method: 'GET', path: '/runs', role: 'viewer', answer: runsPage },
  { method: 'GET', path: '/runs/:id', role: 'viewer', answer: ofRun(runPage) },
  { method: 'GET', path: '/runs/:id/progress', role: 'viewer', byItself: true, answer: ofRun(runProgressFragment) },
  { method: 'GET', path: '/runs/:id/results', role: 'registrar', answer: ofRun(downloadResults) },
  { method: 'GET', path: '/runs/:id/invalid', role: 'registrar', answer: ofRun(downloadInvalidRows) },
  { method: 'GET', path: '/people', role: 'viewer', answer: peoplePage },
  { method: 'POST', path: '/people', role: 'viewer', answer: searchPeople },
  { method: 'GET', path: '/people/:id', role: 'viewer', answer: ofIssuance(issuancePage) },
  { method: 'GET', path: '/held', role: 'viewer', answer: heldPage },
  { method: 'GET', path: '/upload', role: 'registrar', answer: uploadPage },
  { method: 'POST', path: '/upload', role: 'registrar', takesFile: true, answer: takeUpload },
  { method: 'GET', path: '/upload/:id', role: 'registrar', answer: ofUpload(rehearsalPage) },
  {
    method: 'GET',
    path: '/upload/:id/progress',
    role: 'registrar',
    byItself: true,
    answer: ofUpload(rehearsalFragment),
  },
  { method: 'POST', path: '/upload/:id/show', role: 'registrar', answer: ofUpload(showPeople) },
  { method: 'POST', path: '/upload/:id/rehearse', role: 'registrar', answer: ofUpload(rehearseAgain) },
  { method: 'POST', path: '/upload/:id/issue', role: 'registrar', answer: ofUpload(issueList) },
  { method: 'POST', path: '/upload/:id/discard', role: 'registrar', answer: ofUpload(discardUpload) },

  { method: 'GET', path: '/runs/:id/approve', role: 'registrar', answer: ofRun(approvePage) },
  { method: 'POST', path: '/runs/:id/approve', role: 'registrar', answer: ofRun(approveRun) },
  { method: 'GET', path: '/runs/:id/reject', role: 'registrar', answer: ofRun(rejectPage) },
  { method: 'POST', path: '/runs/:id/reject', role: 'registrar', answer: ofRun(rejectRun) },
  { method: 'GET', path: '/runs/:id/retry', role: 'registrar', answer: ofRun(retryRunPage) },
  { method: 'POST', path: '/runs/:id/retry', role: 'registrar', answer: ofRun(retryRun) },
  { method: 'GET', path: '/people/:id/retry', role: 'registrar', answer: ofIssuance(retryRowPage) },
  { method: 'POST', path: '/people/:id/retry', role: 'registrar', answer: ofIssuance(retryRow) },
  { method: 'GET', path: '/held/:id', role: 'registrar', answer: ofIssuance(heldRowPage) },
  { method: 'POST', path: '/held/:id', role: 'registrar', answer: ofIssuance(resolveHeldRow) },
  { method: 'GET', path: '/corrections', role: 'registrar', answer: waitingCorrectionsPage },
  { method: 'GET', path: '/people/:id/revoke', role: 'operator', answer: ofIssuance(revokePage) },
  { method: 'POST', path: '/people/:id/revoke', role: 'operator', answer: ofIssuance(revoke) },
  { method: 'GET', path: '/people/:id/correct', role: 'operator', answer: ofIssuance(correctPage) },
  {
    method: 'POST',
    path: '/people/:id/correct',
    role: 'operator',
    isLong: true,
    answer: ofIssuance(previewCorrection),
  },
  { method: 'POST', path: '/people/:id/correct/issue', role: 'operator', isLong: true, answer: ofIssuance(correct) },

  { method: 'GET', path: '/log', role: 'operator', answer: logPage },
]

const ranks: Readonly<Record<ConsoleRole, number>> = { viewer: 0, registrar: 1, operator: 2 }

export const mayOpen = (role: ConsoleRole, needed: ConsoleRole): boolean => ranks[role] >= ranks[needed]
