// Compares the twin of the notices with the real ledger: both get the same sequences of verbs, by a clock that is sometimes
// set back, and after each verb everything that can be read must be equal.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { openWholeLedger } from '#src/app/whole-ledger.ts'
import type { NoticeStep } from '#src/extensions/notices/ledger/notice-store.ts'
import type { Database } from '#src/platform/database/database.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { seeds, sized, tally } from '#test/support/suite-size.ts'
import { openTestLedger } from '#test/support/test-ledger.ts'
import { openMemoryNotices } from './memory-notices.ts'

const minuteMs = 60_000
const begin = Date.parse('2026-11-24T06:00:00Z')
const everybody = ['office', 'ops']

type Command =
  | { do: 'apply'; steps: { key: string; what: NoticeStep['do']; count: number; to: string[]; flag: boolean }[] }
  | { do: 'compose'; recipient: string; twice: boolean }
  | { do: 'deliver' | 'deliver in part' | 'fail' | 'refuse'; recipient: string; minutes: number }
  | { do: 'forget'; others: string[]; minutes: number }
  | { do: 'prune'; minutes: number }

const recipient = fc.constantFrom(...everybody)
const some = fc.subarray(everybody)
const minutes = fc.constantFrom(0, 1, 60, 3_000)
const step = fc.record({
  key: fc.constantFrom('person a', 'person b', 'stuck c'),
  what: fc.constantFrom<NoticeStep['do'][]>(
    'open',
    'open',
    'note',
    'remind',
    'notify',
    'restate',
    'recover',
    'withdraw',
  ),
  count: fc.integer({ min: 1, max: 3 }),
  to: some,
  flag: fc.boolean(),
})
const command: fc.Arbitrary<Command> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('apply' as const), steps: fc.array(step, { minLength: 1, maxLength: 4 }) }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('compose' as const), recipient, twice: fc.boolean() }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constantFrom('deliver' as const, 'deliver in part' as const, 'fail' as const, 'refuse' as const),
      recipient,
      minutes,
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('forget' as const), others: some, minutes }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('prune' as const), minutes }) },
)
const sequences = fc.array(fc.tuple(command, fc.constantFrom(0, 1, 20, 70, 1_500, -30)), {
  minLength: 10,
  maxLength: 50,
  size: 'max',
})

/** What both sides have in common, whatever their ids are. */
type Side = ReturnType<typeof openMemoryNotices> | Awaited<ReturnType<typeof openWholeLedger>>['notices']

const longAgo = (now: Date) => ({ now, latest: new Date(now.getTime() + 60 * minuteMs) })
const earlier = (now: Date, by: number) => new Date(now.getTime() - by * minuteMs)

async function play(side: Side, command: Command, now: Date, runs: readonly string[]): Promise<unknown> {
  switch (command.do) {
    case 'apply':
      return side.apply(command.steps.map(stepOf(now, runs)), now)
    case 'compose': {
      const ids = (await side.changesFor(command.recipient)).map(({ id }) => id)
      await side.makeMessage(command.recipient, ids, { notices: ids.length }, now)
      // A slower worker, which read the same.
      if (command.twice) await side.makeMessage(command.recipient, ids, { notices: 'again' }, now)
      return ids.length
    }
    case 'deliver':
    case 'deliver in part':
    case 'fail':
    case 'refuse': {
      const message = await side.dueMessage(command.recipient, longAgo(now))
      if (!message) return null
      const { id } = message
      if (command.do === 'refuse') return side.noteRefused(id, 'HTTP 400.', now)
      if (command.do === 'fail') return side.noteUndelivered(id, 'HTTP 503.', now, earlier(now, -command.minutes))
      return side.noteDelivered(id, now, command.do === 'deliver' ? null : '1 of 2 refused.')
    }
    case 'forget':
      return (await side.forgetOtherRecipients(command.others, earlier(now, command.minutes))).toSorted()
    case 'prune':
      return side.prune(earlier(now, command.minutes))
  }
}

const stepOf =
  (now: Date, runs: readonly string[]) =>
  ({ key, what, count, to, flag }: Extract<Command, { do: 'apply' }>['steps'][number]): NoticeStep => {
    const facts = { about: 'held', count }
    const common = { key, facts, recipients: to }
    if (what === 'restate') return { do: what, key, facts }
    if (what === 'recover') return { do: what, always: flag, ...common }
    const opening = { ...common, kind: 'person', pipeline: null, since: earlier(now, 30) }
    if (what === 'open') return { do: what, ...opening, once: flag }
    if (what === 'note') return { do: what, ...opening, run: runs[count - 1] ?? '' }
    return { do: what, ...common }
  }

const withoutId = <Each extends { id: unknown }>({ id: _, ...rest }: Each) => rest

async function seen(side: Side, now: Date) {
  const times = { since: earlier(now, 1), lastBefore: earlier(now, 15), latest: earlier(now, -15) }
  const due = []
  for (const each of everybody) due.push(await side.dueMessage(each, longAgo(now)))
  return {
    open: (await side.open()).map(withoutId),
    changes: [await side.changesFor('office'), await side.changesFor('ops')].map((each) => each.map(withoutId)),
    due: due.map((message) => message && withoutId(message)),
    toCompose: await side.toCompose(everybody, times),
    recipients: await side.recipients(),
  }
}

const nothing = {
  ...{ summarizeFrom: null, refusedFrom: null, countsChanges: false },
  ...{ pipelines: [], inboxes: [], targets: [], expecting: [] },
}

async function compare(database: Database, environment: string, played: [Command, number][]): Promise<number> {
  const { notices: real, runs } = await openWholeLedger(database, environment)
  const refused: string[] = []
  for (const name of ['one', 'two', 'three'])
    refused.push((await runs.receive({ pipeline: 'a', sourceName: name, sourcePath: name, sourceSha256: name })).run.id)
  const twin = openMemoryNotices()
  let [time, messages] = [begin, 0]
  for (const [index, [command, after]] of played.entries()) {
    time += after * minuteMs
    // Never the same time twice.
    const now = new Date(time + index)
    const expected = await play(twin, command, now, refused)
    expect(await play(real, command, now, refused), `what ${command.do} answers`).toEqual(expected)
    expect(await seen(real, now), `what can be read after ${command.do}`).toEqual(await seen(twin, now))
    const { failing } = await real.readings({ ...nothing, recipients: everybody, now })
    expect(failing, `who fails after ${command.do}`).toEqual(twin.failing(everybody, now))
    const { rows } = await database.query(
      `SELECT (SELECT count(*) FROM notice WHERE environment = $1) AS notices, (SELECT count(*) FROM notice_message WHERE environment = $1) AS messages,
         (SELECT count(*) FROM notice_change c JOIN notice n ON n.id = c.notice_id WHERE n.environment = $1) AS changes`,
      [environment],
    )
    expect(rows[0], `how much is left after ${command.do}`).toEqual(twin.counts())
    messages = Math.max(messages, twin.counts().messages)
  }
  return messages
}

describeWithDatabase('the notices in memory', () => {
  test('are the same as those of the ledger, for any sequence of verbs', async () => {
    await using testLedger = await openTestLedger()
    const counts = { sequences: 0, verbs: 0, messages: 0 }
    await fc.assert(
      fc.asyncProperty(sequences, async (played) => {
        counts.messages += await compare(testLedger.database, `sequence-${++counts.sequences}`, played)
        counts.verbs += played.length
      }),
      { numRuns: sized(12, 1_000, 5), seed: seeds(1)[0] as number },
    )
    tally('the twin of the notices', counts)
    // Sequences without any message would agree, too.
    expect(counts.messages).toBeGreaterThan(counts.sequences)
  })
})
