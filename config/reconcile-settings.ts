// The settings for following requests in the credential report, and for watching what was issued.

import { z } from 'zod'
import { duration, schedule } from './duration-setting.ts'

export const reconcileSchema = z
  .strictObject({
    every: duration('15s').describe('How often the credential report is read while there are recent requests.'),
    slowest: duration('15m').describe('The longest interval between scans, reached as requests get older.'),
    grace: duration('6h').describe(
      'How long absence from the report proves nothing, and the interval between the scans that prove absence. It must be longer than the longest time that the service takes to show a request.',
    ),
    refusedGrace: duration('10m').describe(
      'Replaces `reconcile.grace` for a batch that the service refused with a message, at most part of which can have been applied.',
    ),
    looks: z
      .int()
      .min(2)
      .max(20)
      .default(2)
      .describe(
        'How many complete scans, each `reconcile.grace` after the one before, must not show a request to prove that it was never accepted. The minimum is 2, because a single scan may coincide with the rebuilding of an index.',
      ),
    looksWithoutControl: z
      .int()
      .min(2)
      .max(1_000)
      .default(8)
      .describe(
        'After how many complete scans without a request it is held for an operator if the report does not show any later accepted request either, because the report may be behind. 8 scans are two days at the default grace period.',
      ),
    looksWithoutBatch: z
      .int()
      .min(2)
      .max(1_000)
      .default(48)
      .describe(
        'Replaces `reconcile.looksWithoutControl` if the report shows other requests of the same batch: the missing request is then late or refused, not lost, and is never sent again automatically. 48 scans are twelve days at the default grace period.',
      ),
    resend: z
      .boolean()
      .default(true)
      .describe(
        'If true, a request that is proven lost is sent again automatically, as often as `invitations.resends` allows. If false, an operator decides about each such request.',
      ),
    baselineAge: duration('5m').describe(
      'How old the last complete scan of the report may be when something is sent for the first time.',
    ),
    pageSize: z
      .int()
      .min(10)
      .max(5000)
      .default(500)
      .describe('Rows requested per page of the report. The service may return fewer.'),
    watchWithin: duration('30d').describe(
      'Every issued credential is checked at least once in this time, for revocations made in the portal. If the report can be sorted by the date of revocation, all of them are checked every night.',
    ),
    watchAt: schedule('30 2 * * *').describe(
      'When the next part of the issued credentials is checked: by a cron line (minute, hour, day, month, weekday; UTC), or at an interval.',
    ),
  })
  .prefault({})
  .describe('How requests are followed in the credential report.')
