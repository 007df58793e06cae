// Classifies Moodle's error codes by what the caller must do: try again later, stop, or skip this record. The HTTP
// status is never used. The first code of each list and nopermissions were seen on a real Moodle 4.5.6; the others are
// thrown by its webservice, login, completion, enrollment and report code. Pure.

import { MoodleAwayError, type MoodleError, MoodleRecordError, MoodleRefusedError } from './moodle-error.ts'
import { capabilitiesFor } from './privileges.ts'

const awayCodes = new Set(['dbconnectionfailed', 'upgraderunning', 'sitemaintenance'])

const replaceToken = 'create a new token for the account in Moodle, and replace the old one'
const enableAccount = 'enable the account of the token again, or create a token for another account'
const exemptOrSignIn =
  'give the account of the token the authentication method "Web services authentication", which does not have this requirement, or sign in with the account once and do what Moodle asks for'
const passwordExpired = `the password of the account has expired; ${exemptOrSignIn}`
const confirmAccount = 'confirm the account of the token under Users, Accounts, Browse list of users'
const grantCapabilities = (name: string) =>
  `give the role of the token's account the capabilities that this function needs: ${capabilitiesFor(name)}`

/** What to do about a code with which every call fails. */
const everywhere: Readonly<Record<string, string>> = {
  // Moodle deletes an expired token at its next use, and returns accessexception for that call.
  invalidtoken: `Moodle has no such token (it deletes expired tokens): ${replaceToken}`,
  invalidtimedtoken: `the token has expired; ${replaceToken}`,
  invalidiptoken: 'the token is restricted to other IP addresses; add ours to its IP restriction',
  usernotallowed: 'add the account to the authorised users of the external service in Moodle',
  missingrequiredcapability: 'give the role of the account the capability that the external service requires',
  servicenotavailable: 'enable the external service of the token',
  enablewsdescription: 'enable web services and the REST protocol in the site administration',
  // Requirements for the account, which Moodle checks before it handles a call.
  wsaccessusersuspended: `the account of the token is suspended; ${enableAccount}`,
  wsaccessuserdeleted: 'the account of the token was deleted; create a new account and a token for it',
  wsaccessuserunconfirmed: confirmAccount,
  wsaccessuserexpired: passwordExpired,
  wsaccessusernologin: 'the account has the authentication method "No login"; give it "Web services authentication"',
  // A request for a token fails with the following two codes.
  passwordisexpired: passwordExpired,
  usernotconfirmed: confirmAccount,
  // A call that accesses a course fails with the following four codes.
  forcepasswordchangenotice:
    'turn off "Force password change" in the settings of the account, or sign in with it and change the password',
  nopasswordchangeforced: 'turn off "Force password change" in the settings of the account',
  sitepolicynotagreed: `the account has not agreed to the site policy; ${exemptOrSignIn}`,
  usernotfullysetup: 'fill in the required fields in the profile of the account, such as its e-mail address',
}

/** What to do about a code with which only this function, or this course, fails. */
const here: Readonly<Record<string, (calledFunction: string) => string>> = {
  // Unless debugging is on, Moodle returns the same code for a function outside the service and for an account that may
  // make no calls.
  accessexception: (name) =>
    `add ${name} to the external service of the token, and check that the service is enabled and lists the account as an authorised user, that the account has webservice/rest:use and the capability that the service requires, if any, and that no IP restriction excludes our address. A token that has just expired is refused with the same code, and at the next call as unknown (invalidtoken)`,
  nopermissions: grantCapabilities,
  // Not one of Moodle's codes: this client uses it when Moodle's response omits what the account may not see.
  notshown: (name) =>
    `what was written is not shown to the account; give its role the capabilities to see it: ${capabilitiesFor(name)}`,
  requireloginerror: grantCapabilities,
  // The list of enrolled users returns this code for everything that Moodle refuses before it accesses the course.
  // Moodle gives the reason only as text in the site's language.
  errorcoursecontextnotvalid: (name) =>
    `check whether the account must agree to the site policy, change its password, or fill in required profile fields, and whether the course is hidden from it; otherwise ${grantCapabilities(name)}`,
  // Also returned when completion tracking is switched off in the course.
  cannotviewreport: (name) => `enable completion tracking in the course, or ${grantCapabilities(name)}`,
  // The report does not exist, or the account has no access to it.
  errorreportview: (name) => `check the id of the report and its audience, and ${grantCapabilities(name)}`,
  // According to its source, Moodle returns this code for the status of a learner in a group that the account may not
  // see.
  accessdenied: (name) => `allow moodle/site:accessallgroups in the role of the account, or ${grantCapabilities(name)}`,
  nopermissiontoviewgrades: grantCapabilities,
}

/**
 * Returns the error for an exception that Moodle reported as `errorcode`. An unknown code fails this record only:
 * plugins define additional codes, and one unusual learner must not stop a thousand others. If the problem affects the
 * whole site, every record fails with the code, which an operator will notice.
 */
export function classifyErrorCode(calledFunction: string, errorcode: string): MoodleError {
  const code = safeCode(errorcode)
  if (awayCodes.has(code)) return new MoodleAwayError(calledFunction, code)
  const adviceOf = <Advice>(of: Readonly<Record<string, Advice>>) => (Object.hasOwn(of, code) ? of[code] : undefined)
  const advice = adviceOf(everywhere)
  if (advice !== undefined) return new MoodleRefusedError(calledFunction, code, 'everywhere', advice)
  const adviceHere = adviceOf(here)
  if (adviceHere) return new MoodleRefusedError(calledFunction, code, 'here', adviceHere(calledFunction))
  return new MoodleRecordError(calledFunction, code)
}

/**
 * Error codes consist of letters and underscores. Anything else, such as an echoed token, must not appear in a message.
 */
function safeCode(errorcode: string): string {
  return /^[a-zA-Z_]{1,60}$/.test(errorcode) ? errorcode : 'unnamed'
}
