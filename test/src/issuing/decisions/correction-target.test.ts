// A row whose correction is not finished is not corrected again.

import { expect, test } from 'vitest'
import { findCorrectionTarget } from '#src/issuing/decisions/correction-target.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { aRecipient, aReportItem } from '#test/support/domain-objects.ts'
import { openTestLedger } from '#test/support/test-ledger.ts'

describeWithDatabase('a row whose correction waits for its revocation', () => {
  test.each(['wanted', 'sending', 'unconfirmed', 'accepted'])('is not corrected while that is %s', async (state) => {
    await using testLedger = await openTestLedger()
    await testLedger.publish([aRecipient(1)])
    await testLedger.answer(await testLedger.send(), { class: 'accepted' })
    await testLedger.scan([aReportItem(aRecipient(1))])
    expect(await findCorrectionTarget(testLedger, 'i1')).toMatchObject({ issuanceId: 1, state: 'issued' })
    await testLedger.database.query(
      `INSERT INTO revocation (environment, credential_id, issuance_id, by, state, correction)
       SELECT environment, credential_id, id, 'ada', $1, '{}' FROM issuance`,
      [state],
    )
    await expect(findCorrectionTarget(testLedger, 'i1')).rejects.toThrow(
      `A correction of i1 is already in progress: its revocation is ${state}.`,
    )
  })
})
