// Adds the data of learning systems, archives, inboxes and notices to the scene.

import type { DueDelivery } from '#src/extensions/lms/ledger/deliveries.ts'
import { aBadRow, aCourse } from '#test/support/domain-objects.ts'
import type { TestLedger } from '#test/support/test-ledger.ts'

export const target = { pipeline: 'spring', name: 'campus', showsOne: false, learnersOf: null }

const source = { system: 'campus', pipeline: 'spring', renewAfterMs: null }
const completed = { course: 'FIRE-1', completedAt: new Date('2026-01-01'), cells: { e_mail: 'person.51@example.org' } }

export async function addOtherData(testLedger: TestLedger, settledRun: string) {
  const { ledger } = testLedger
  await addInvalidCompletion(testLedger)
  const completions = await createRun(testLedger, 'l1')
  await ledger.runs.refuse(completions, 'The course is not known.')
  await ledger.completions.ingest(source, [{ learner: 'l2', ...completed }], 'poll')
  const schedule = { schedule: 'long ago', nextAt: new Date(0), checksDrift: true }
  const systems = ['campus', 'seminar']
  await ledger.learningSystems.register(
    systems,
    systems.map((system) => ({ system, ...schedule })),
  )
  await ledger.drift.begin('campus')
  await ledger.learningSystems.noteAway('gradebook', 'Away.')
  await ledger.archives.watch([{ pipeline: 'spring', folder: '/archive' }])
  await ledger.inboxes.status('spring', new Date(0))
  await ledger.inboxes.noteProblem('spring', 'It was away.')
  await ledger.poller.schedule(0, null)
  await addInboundEvents(testLedger)
  const message = await addNotices(testLedger, settledRun)
  return { completions, inboundEvent: 1, deliveries: await addDeliveries(testLedger, settledRun), message }
}

export const noticedAt = (minute: number) => new Date(Date.parse('2026-01-01T06:00:00Z') + minute * 60_000)
export const noticeOf = (key: string, facts: Record<string, unknown> = { about: 'held', count: 1 }) => ({
  ...{ key, facts, recipients: ['ops', 'office'] },
})
export const opening = (key: string, facts?: Record<string, unknown>) => ({
  ...{ do: 'open' as const, kind: key.split(' ')[0] ?? '', pipeline: 'spring', since: noticedAt(0) },
  ...noticeOf(key, facts),
})

/**
 * Adds three open notices (one that `ops` has read of and is to be reminded of, one that nobody has read of, and a
 * summary) and one that was over before anybody read of it. @returns the id of the message that waits for `office`
 */
async function addNotices({ ledger: { notices } }: TestLedger, settledRun: string): Promise<string> {
  const messageTo = async (recipient: string) => {
    const ids = (await notices.changesFor(recipient)).map(({ id }) => id)
    await notices.makeMessage(recipient, ids, { subject: 'words' }, noticedAt(1))
    return (await notices.dueMessage(recipient, { now: noticedAt(1), latest: noticedAt(9_000) }))?.id ?? ''
  }
  await notices.watchedSince('list spring', 'by six', noticedAt(0))
  await notices.apply([opening('person held spring')], noticedAt(0))
  await notices.noteDelivered(await messageTo('ops'), noticedAt(2), '1 of 2 addresses refused')
  const waiting = await messageTo('office')
  await notices.apply([{ do: 'remind', ...noticeOf('person held spring') }], noticedAt(1_440))
  const summary = { about: 'summary', run: settledRun }
  await notices.apply([opening('missing list spring'), opening(`summary ${settledRun}`, summary)], noticedAt(1_441))
  await notices.apply([opening('keys brief')], noticedAt(1_442))
  await notices.apply([{ do: 'recover', always: false, ...noticeOf('keys brief') }], noticedAt(1_443))
  return waiting
}

async function createRun({ ledger }: TestLedger, learner: string): Promise<string> {
  await ledger.completions.ingest(source, [{ learner, ...completed }], 'event')
  return (await ledger.completions.createRun('spring')) ?? ''
}

/** Adds a completion whose row was found invalid under outdated rules. */
async function addInvalidCompletion(testLedger: TestLedger): Promise<void> {
  const run = await createRun(testLedger, 'l0')
  await testLedger.ledger.intake.stage(run, [aBadRow(2)])
  await testLedger.ledger.intake.publish(
    run,
    { courseUuid: aCourse, format: 'csv', header: ['e_mail'], notices: [], rulesHash: 'old rules' },
    1,
  )
  await testLedger.database.query(`UPDATE completion SET compared_at = clock_timestamp() - interval '1 day'`)
}

/** Adds three inbound events: one that is not processed, one that could not be parsed, and one that is finished. */
async function addInboundEvents({ ledger: { inboundEvents } }: TestLedger): Promise<void> {
  const body = Buffer.from('{}')
  await inboundEvents.keep(['01', '11', '12'].map((key) => ({ system: 'campus', key, headers: {}, body })))
  await inboundEvents.noteProcessed(2, { kind: 'strange', problem: 'It is strange.' })
  await inboundEvents.noteProcessed(3, { kind: 'processed' })
}

async function addDeliveries({ ledger, database }: TestLedger, settledRun: string) {
  await ledger.deliveries.request(settledRun, [target])
  const { rows } = await database.query<Pick<DueDelivery, 'id' | 'wanted'>>(
    'SELECT id, wanted FROM delivery ORDER BY id',
  )
  const [pending, verified, failed, incomplete] = rows
  if (!pending || !verified || !failed || !incomplete) throw new Error('A settled row has no delivery.')
  await ledger.deliveries.note(verified, { kind: 'verified' })
  await ledger.deliveries.note(failed, { kind: 'failed', problem: 'No.', gone: true })
  await ledger.deliveries.note(incomplete, { kind: 'incomplete', problem: 'The link is not known yet.' })
  await ledger.deliveries.postpone('spring', target.name, 3_600_000, true)
  return { pending, verified }
}
