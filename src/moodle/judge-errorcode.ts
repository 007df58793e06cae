// What an errorcode of Moodle means for us: come back later, stop, or leave this record. Never judged by the HTTP status.

import { MoodleAwayError } from './moodle-away-error.ts'
import type { MoodleError } from './moodle-error.ts'
import { MoodleRecordError } from './moodle-record-error.ts'
import { MoodleRefusedError, type Reach } from './moodle-refused-error.ts'
import { capabilitiesFor } from './privileges.ts'

const away = new Set(['dbconnectionfailed', 'upgraderunning', 'sitemaintenance'])

const token = 'make a new token for the account in Moodle and put it in place of the old one'
const role = (name: string) => `give the role of the token's account what this function needs: ${capabilitiesFor(name)}`

// The first two were seen on a real Moodle 4.5.6, as was nopermissions; the others are thrown by its webservice, completion, enrolment and report code.
const refusals: Record<string, { reach: Reach; advice: (calledFunction: string) => string }> = {
  invalidtoken: { reach: 'everywhere', advice: () => token },
  // Without debugging Moodle says the same words for a function outside the service as for an account that may not call at all.
  accessexception: {
    reach: 'here',
    advice: (name) =>
      `add ${name} to the external service of the token, and check that the account has webservice/rest:use and that the token has neither expired nor a list of addresses without ours`,
  },
  invalidtimedtoken: { reach: 'everywhere', advice: () => `the token has expired, ${token}` },
  invalidiptoken: {
    reach: 'everywhere',
    advice: () => 'the token is bound to other addresses, add ours to its IP restriction',
  },
  usernotallowed: {
    reach: 'everywhere',
    advice: () => 'add the account to the authorised users of the external service',
  },
  missingrequiredcapability: {
    reach: 'everywhere',
    advice: () => 'give the role of the account the capability that the external service requires',
  },
  servicenotavailable: { reach: 'everywhere', advice: () => 'enable the external service of the token' },
  enablewsdescription: {
    reach: 'everywhere',
    advice: () => 'enable web services and the REST protocol in the site administration',
  },
  nopermissions: { reach: 'here', advice: role },
  requireloginerror: { reach: 'here', advice: role },
  errorcoursecontextnotvalid: { reach: 'here', advice: role },
  // Also said when completion tracking is switched off in the course.
  cannotviewreport: {
    reach: 'here',
    advice: (name) => `enable completion tracking in the course, or ${role(name)}`,
  },
  // The report does not exist, or was not given to the account.
  errorreportview: {
    reach: 'here',
    advice: (name) => `check the id of the report and who it is for, and ${role(name)}`,
  },
  accessdenied: { reach: 'here', advice: role },
}

/**
 * The error for an exception that Moodle reported under `errorcode`. A code that is not known counts against this record only: plugins
 * bring codes of their own, and one learner with an odd one must not stop a thousand others. If it is the site's fault after all,
 * every record fails with it, which is seen; the other way round, a stopped source would be the work of one record.
 */
export function judgeErrorcode(calledFunction: string, errorcode: string): MoodleError {
  const code = speakable(errorcode)
  if (away.has(code)) return new MoodleAwayError(calledFunction, code)
  const refusal = Object.hasOwn(refusals, code) ? refusals[code] : undefined
  if (refusal) return new MoodleRefusedError(calledFunction, code, refusal.reach, refusal.advice(calledFunction))
  return new MoodleRecordError(calledFunction, code)
}

/** Codes are words. Anything else, such as a token that is echoed, is not repeated. */
function speakable(errorcode: string): string {
  return /^[a-zA-Z_]{1,60}$/.test(errorcode) ? errorcode : 'unnamed'
}
