// Sabotaged versions of learning systems.

import type { Sabotage } from '../sabotage.ts'

export const lmsSabotages: readonly Sabotage[] = [
  {
    name: 'takes an event about course 51 for one about course 5',
    file: 'src/lms/systems/moodle-completions.ts',
    find: 'hint.course === String(course.id)',
    replace: 'hint.course.startsWith(String(course.id))',
    caughtBy: {
      tests: 'test/src/lms/systems/moodle-completions.test.ts',
      title: 'another id that begins with the same digit',
    },
  },
  {
    name: 'delivers an outcome although its credential has moved to another state',
    file: 'src/ledger/lms/deliveries.ts',
    find: 'AND i.pipeline = $4 AND i.state = t.wanted',
    replace: 'AND i.pipeline = $4',
    caughtBy: {
      tests: 'test/src/ledger/lms/deliveries.test.ts',
      title: 'once its credential has moved to another state',
    },
  },
  {
    name: 'stores the Authorization header of an event',
    file: 'src/lms/systems/webhook.ts',
    find: 'Object.entries(headers).filter(([header]) => keptHeaders.includes(header))',
    replace: 'Object.entries(headers)',
    caughtBy: {
      tests: 'test/stories/lms/inbound-endpoints.test.ts',
      title: 'store no header that may contain a secret',
    },
  },
  {
    name: 'dates a completion of a Moodle in UTC',
    file: 'src/lms/systems/moodle-completions.ts',
    find: 'cellsOfLearner(learner, courseNames, at, settings.timeZone)',
    replace: "cellsOfLearner(learner, courseNames, at, 'UTC')",
    caughtBy: {
      tests: 'test/stories/lms/repeated-and-late-events.test.ts',
      title: 'are dated in the time zone of the site',
    },
  },
  {
    name: 'retries all refused outgoing events at one time',
    file: 'src/lms/targets/webhook.ts',
    find: 'nextTry(due.tries + 1, answer, clock.now(), random)',
    replace: 'nextTry(due.tries + 1, answer, clock.now(), () => 0)',
    caughtBy: { tests: 'test/src/lms/targets/webhook.test.ts', title: 'up to a tenth longer' },
  },
  {
    name: 'accepts a signature that is dated far ahead',
    file: 'src/lms/webhooks/signed-instant.ts',
    find: 'Math.abs(now.getTime() - at) > toleranceMs',
    replace: 'now.getTime() - at > toleranceMs',
    caughtBy: { tests: 'test/src/lms/webhooks/authenticate.test.ts', title: 'Standard Webhooks' },
  },
  {
    name: 'trusts withdrawn keys for as long as the key server is away',
    file: 'src/lms/webhooks/key-sets.ts',
    find: 'nowMs - entry.fetchedAtMs < maxAgeMs ? entry.keys : null',
    replace: 'nowMs - entry.fetchedAtMs >= 0 ? entry.keys : null',
    caughtBy: {
      tests: 'test/src/lms/webhooks/signed-body.test.ts',
      title: 'is verified with cached keys for a day while the sender is unavailable',
    },
  },
  {
    name: 'lets an unsigned header tell two equal events apart',
    file: 'src/lms/webhooks/inbound-key.ts',
    find: `if (auth === 'hmac' || auth === 'jwt') return null`,
    replace: `if (auth === 'hmac') return null`,
    caughtBy: { tests: 'test/src/lms/webhooks/inbound-key.test.ts', title: 'is not determined by an id in a header' },
  },
  {
    name: 'waits for years if a target asks for it',
    file: 'src/lms/sync/deliver-to-target.ts',
    find: 'Math.min(retryAfterMs ?? 0, maxWaitMs)',
    replace: 'Math.max(retryAfterMs ?? 0, 0)',
    caughtBy: {
      tests: 'test/src/lms/sync/deliver-to-target.test.ts',
      title: 'a delivery to a target that requests a wait of',
    },
  },
  {
    name: 'leaves the link of a revoked credential in the profile',
    file: 'src/lms/targets/credential-text.ts',
    find: `return isIssued ? (credential.verifierLink ?? '') : ''`,
    replace: `return credential.verifierLink ?? ''`,
    caughtBy: {
      tests: 'test/stories/lms/revoked-and-corrected.test.ts',
      title: 'shows that the credential was revoked',
    },
  },
  {
    name: 'sends an event again under another id',
    file: 'src/lms/targets/webhook.ts',
    find: 'due.since.getTime()}`',
    replace: 'due.tries}`',
    caughtBy: {
      tests: 'test/stories/lms/signed-outgoing-events.test.ts',
      title: 'that got a 500 are sent again with the same id',
    },
  },
  {
    name: 'writes into the newest of several columns with one title',
    file: 'src/lms/canvas/gradebook-columns.ts',
    find: '(BigInt(a.id) < BigInt(b.id) ? 1 : -1)',
    replace: '(BigInt(a.id) < BigInt(b.id) ? -1 : 1)',
    caughtBy: {
      tests: 'test/src/lms/canvas/gradebook-columns.test.ts',
      title: 'with the same title are resolved to the oldest one',
    },
  },
  {
    name: 'takes a course without visible modules for completed',
    file: 'src/lms/canvas/progress.ts',
    find: 'return moduleCount > 0 ?',
    replace: 'return moduleCount >= 0 ?',
    caughtBy: {
      tests: 'test/src/lms/canvas/reading.test.ts',
      title: 'do not include learners with open requirements for whom Canvas shows no module',
    },
  },
  {
    name: 'prints the day of UTC on the certificate of a Canvas course',
    file: 'src/lms/systems/canvas-completions.ts',
    find: 'at, settings.timeZone)',
    replace: `at, 'UTC')`,
    caughtBy: {
      tests: 'test/src/lms/systems/canvas-completions.test.ts',
      title: 'about a learner who completed results in a completion, on the local date',
    },
  },
  {
    name: 'reports a late event about a learner who left although the completion is known',
    file: 'src/lms/systems/moodle-completions.ts',
    find: `if (completion.kind === 'not-enrolled' && !(await isKnown(String(learner.id))))`,
    replace: `if (completion.kind === 'not-enrolled' && !(await isKnown(String(course.id))))`,
    caughtBy: {
      tests: 'test/stories/lms/changes-after-completion.test.ts',
      title: 'keeps the credential and its deliveries',
    },
  },
  {
    name: 'takes another learner’s score for the one that it wrote',
    file: 'src/lms/lti/ags.ts',
    find: 'results: pages.items.filter((item) => item.userId === userId) }',
    replace: 'results: pages.items }',
    caughtBy: {
      tests: 'test/src/lms/lti/ags-lists.test.ts',
      title: 'of other learners are omitted if the platform returns all',
    },
  },
  {
    name: 'renews a token of an hour after half of it',
    file: 'src/lms/lti/tokens.ts',
    find: 'Math.max(lifetimeMs - expiryMarginMs, lifetimeMs / 2)',
    replace: 'Math.min(lifetimeMs - expiryMarginMs, lifetimeMs / 2)',
    caughtBy: { tests: 'test/src/lms/lti/tokens.test.ts', title: 'is used until shortly before it expires' },
  },
  {
    name: 'searches Moodle for an address only as it was typed',
    file: 'src/lms/moodle/learner.ts',
    find: 'const values = [...new Set([email, email.toLowerCase()])]',
    replace: 'const values = [email]',
    caughtBy: { tests: 'test/src/lms/moodle/reading.test.ts', title: 'is found by an address in another case' },
  },
  {
    name: 'takes a statement that denies the completion for one',
    file: 'src/lms/xapi/completion.ts',
    find: ` || valueAt(statement, '/result/completion') === false`,
    replace: '',
    caughtBy: { tests: 'test/src/lms/xapi/completion.test.ts', title: 'is not found in a statement with' },
  },
  {
    name: 'sends an event again before the system that refused it asked for it',
    file: 'src/lms/targets/webhook.ts',
    find: `response.headers['retry-after'] ?? null`,
    replace: 'null',
    caughtBy: { tests: 'test/src/lms/targets/webhook.test.ts', title: 'as long as the system asks for' },
  },
  {
    name: 'leaves the expiry date of a revoked credential in the profile',
    file: 'src/lms/targets/credential-text.ts',
    find: `return isIssued ? (credential.validTill ?? '') : ''`,
    replace: `return credential.validTill ?? ''`,
    caughtBy: {
      tests: 'test/src/lms/targets/credential-text.test.ts',
      title: 'shows only what is valid in this state',
    },
  },
  {
    name: 'never checks a profile again once it has drifted',
    file: 'src/ledger/lms/drift.ts',
    find: `t.state IN ('verified', 'drifted') AND t.looked_at < s.look_began_at`,
    replace: `t.state IN ('verified') AND t.looked_at < s.look_began_at`,
    caughtBy: {
      tests: 'test/src/ledger/lms/drift.test.ts',
      title: 'includes a delivery that drifted the night before',
    },
  },
  {
    name: 'accepts a short password for statements',
    file: 'src/lms/systems/xapi.ts',
    find: '.refine(isLongSecret, secretTooShort)',
    replace: '',
    caughtBy: { tests: 'test/config/settings.test.ts', title: 'a password for statements that can be guessed' },
  },
  {
    name: 'forgets for how long a platform asked it to wait with a score',
    file: 'src/lms/targets/lti.ts',
    find: 'retryAfterMs: written.afterMs ?? null',
    replace: 'retryAfterMs: null',
    caughtBy: { tests: 'test/src/lms/sync/deliver-to-target.test.ts', title: 'a score that a platform postpones' },
  },
  {
    name: 'sends to an address that is gone once a credential changes',
    file: 'src/ledger/lms/deliveries.ts',
    find: 'problem = CASE WHEN t.gone THEN t.problem END',
    replace: 'problem = NULL',
    caughtBy: { tests: 'test/src/ledger/lms/deliveries.test.ts', title: 'gets none when a credential changes' },
  },
  {
    name: 'leaves a target marked as gone although its deliveries are made again',
    file: 'src/ledger/lms/deliveries.ts',
    find: `state = 'pending', gone = false, refused`,
    replace: `state = 'pending', refused`,
    caughtBy: { tests: 'test/src/ledger/lms/deliveries.test.ts', title: 'until an operator asks for them again' },
  },
]
