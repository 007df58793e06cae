// Error messages are split into what is wrong and what to do, because scripts that read `check --json` need them
// separately.

import { expect, test } from 'vitest'
import { splitAdvice } from '#src/check/check-result.ts'

test.each([
  [
    'leads to another machine without TLS. Begin it with https://, or name its host in CREDSYNC_ALLOW_PLAIN',
    'leads to another machine without TLS',
    'Begin it with https://, or name its host in CREDSYNC_ALLOW_PLAIN',
  ],
  [
    'leads to another machine without TLS. End it with ?sslmode=verify-full.',
    'leads to another machine without TLS',
    'End it with ?sslmode=verify-full',
  ],
  [
    'is 0: no certificate would be checked. Unset it; for an authority of your own set NODE_EXTRA_CA_CERTS',
    'is 0: no certificate would be checked',
    'Unset it; for an authority of your own set NODE_EXTRA_CA_CERTS',
  ],
  ['has a blank in it. Write %20 for a blank', 'has a blank in it', 'Write %20 for a blank'],
  ['is not a setting; did you mean brake?', 'is not a setting; did you mean brake?', 'Look'],
  ['ends. Ending it is no advice, nor is Beginning', 'ends. Ending it is no advice, nor is Beginning', 'Look'],
])('%s', (sentence, what, remedy) => {
  expect(splitAdvice(sentence, 'Look')).toEqual({ what, remedy })
})
