// Which notice each step is about: the open one with its key, beside others, one that has ended, and one of another
// environment.

import { expect, test } from 'vitest'
import { openWholeLedger } from '#src/app/whole-ledger.ts'
import type { NoticeStep } from '#src/extensions/notices/ledger/notice-store.ts'
import { addChange, addMessage, addNotice } from '#test/support/add-notice.ts'
import { addRun } from '#test/support/add-run.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { openUnordered } from '#test/support/stored-order.ts'
import { openTestLedger, type TestLedger } from '#test/support/test-ledger.ts'

const at = (minutes: number) => new Date(Date.parse('2026-03-01T06:00:00Z') + minutes * 60_000)
const production = { environment: 'production' }

/** Four notices, each with a change that waits for `ops`; the last one is the open one with the key `own`. */
async function openNotices(): Promise<TestLedger> {
  const testLedger = await openTestLedger()
  for (const [key, more] of [
    ['own', { recovered_at: at(-9) }],
    ['other', {}],
    ['own', production],
    ['own', {}],
  ] as const)
    await addChange(testLedger.database, await addNotice(testLedger.database, key, more))
  return testLedger
}
const own = 4

/** The ids of the notices that a verb changes, and of those whose changes it changes, adds or removes. */
async function changedBy({ database }: TestLedger, verb: () => Promise<unknown>) {
  const snapshot = async () => {
    const { rows } = await database.query<{ id: number; notice: string; changes: string | null }>(
      `SELECT id, n::text AS notice, (SELECT string_agg(c::text, ' ' ORDER BY c.id) FROM notice_change c WHERE notice_id = n.id) AS changes
       FROM notice n ORDER BY id`,
    )
    return rows
  }
  const before = new Map((await snapshot()).map((each) => [each.id, each]))
  await verb()
  const after = await snapshot()
  const differing = (column: 'notice' | 'changes') =>
    after.filter((each) => each[column] !== before.get(each.id)?.[column]).map(({ id }) => id)
  return { notices: differing('notice'), changes: differing('changes') }
}

const about = { key: 'own', facts: { count: 2 }, recipients: ['ops'] }
const opening = { do: 'open', kind: 'person', pipeline: null, since: at(0) } as const

describeWithDatabase('a step', () => {
  const onlyOwn = { notices: [own], changes: [own] }
  test.each<[what: string, step: NoticeStep, changed: object]>([
    ['restates', { do: 'restate', ...about }, onlyOwn],
    ['reminds of', { do: 'remind', ...about }, onlyOwn],
    ['ends', { do: 'recover', always: false, ...about }, onlyOwn],
    ['withdraws', { do: 'withdraw', ...about }, onlyOwn],
    ['notifies of', { do: 'notify', ...about, recipients: ['office'] }, onlyOwn],
    ['does not open', { ...opening, ...about }, { notices: [], changes: [] }],
    ['opens another one beside', { ...opening, ...about, key: 'new' }, { notices: [own + 1], changes: [own + 1] }],
  ])('%s the open notice with its key', async (_, step, changed) => {
    await using testLedger = await openNotices()
    expect(await changedBy(testLedger, () => testLedger.ledger.notices.apply([step], at(1)))).toEqual(changed)
  })

  test('restates only what is not in a message', async () => {
    await using testLedger = await openNotices()
    const { database, ledger } = testLedger
    await database.query('UPDATE notice_change SET message_id = $1', [
      await addMessage(database, { delivered_at: at(0) }),
    ])
    expect(await changedBy(testLedger, () => ledger.notices.apply([{ do: 'restate', ...about }], at(1)))).toEqual({
      ...{ notices: [own], changes: [] },
    })
    // And ends without removing it.
    const end: NoticeStep = { do: 'recover', always: false, ...about, recipients: [] }
    expect(await changedBy(testLedger, () => ledger.notices.apply([end], at(2)))).toEqual({
      notices: [own],
      changes: [],
    })
  })

  test('notifies each recipient once', async () => {
    await using testLedger = await openNotices()
    const { ledger, database } = testLedger
    await database.query(
      `INSERT INTO notice_change (notice_id, recipient, change, facts, at) VALUES (2, 'office', 'opened', '{}', now())`,
    )
    const recipients = ['ops', 'office', 'home']
    await ledger.notices.apply([{ do: 'notify', ...about, recipients }], at(1))
    await ledger.notices.apply([{ do: 'notify', ...about, recipients }], at(2))
    const { rows } = await database.query<{ recipient: string }>(
      'SELECT recipient FROM notice_change WHERE notice_id = $1 ORDER BY id',
      [own],
    )
    expect(rows.map(({ recipient }) => recipient)).toEqual(['ops', 'office', 'home'])
  })

  test('tells of an end those who were sent that it is open, or everybody', async () => {
    await using testLedger = await openNotices()
    const { ledger, database } = testLedger
    const read = async (recipient: string, notice: number, more: object) =>
      addChange(database, notice, { recipient, message_id: await addMessage(database, { recipient, ...more }) })
    await read('reader', own, { delivered_at: at(0) })
    await read('given up', own, { given_up_at: at(0) })
    await read('reader of another one', 2, { delivered_at: at(0) })
    const told = async () =>
      (
        await database.query<{ recipient: string }>(
          `SELECT recipient FROM notice_change WHERE notice_id = $1 AND change = 'recovered' ORDER BY 1`,
          [own],
        )
      ).rows.map(({ recipient }) => recipient)
    const recipients = ['reader', 'given up', 'reader of another one', 'nobody']
    await ledger.notices.apply([{ do: 'recover', always: false, ...about, recipients }], at(1))
    expect(await told()).toEqual(['reader'])
    await database.query('UPDATE notice SET recovered_at = NULL WHERE id = $1', [own])
    await ledger.notices.apply([{ do: 'recover', always: true, ...about, recipients }], at(1))
    expect(await told()).toEqual(recipients.toSorted())
  })

  test('that is taken once does not open a notice again that ended since', async () => {
    await using testLedger = await openTestLedger()
    const { database, ledger } = testLedger
    const opensAfter = async (key: string, more: Record<string, unknown>) => {
      await addNotice(database, key, more)
      await ledger.notices.apply([{ ...opening, ...about, key, once: true }], at(2))
      const isOpen = async () => (await ledger.notices.open()).some((notice) => notice.key === key)
      const opens = await isOpen()
      await ledger.notices.apply([{ ...opening, ...about, key }], at(2))
      expect(await isOpen()).toBe(true)
      return opens
    }
    expect(await opensAfter('ended before', { recovered_at: at(-1) })).toBe(true)
    expect(await opensAfter('ended at that time', { recovered_at: at(0) })).toBe(false)
    expect(await opensAfter('ended since', { recovered_at: at(1) })).toBe(false)
    expect(await opensAfter('another key', { recovered_at: at(1), key: 'other' })).toBe(true)
    expect(await opensAfter('elsewhere', { recovered_at: at(1), ...production })).toBe(true)
  })

  test('notes each refused list once, and that the summary of a list was made', async () => {
    await using testLedger = await openTestLedger()
    const { database, ledger } = testLedger
    const [run, elsewhere] = [await addRun(database, 'own'), await addRun(database, 'of production', production)]
    await addRun(database, 'other')
    const noted: NoticeStep = { ...opening, ...about, do: 'note', run }
    await ledger.notices.apply([noted], at(1))
    await ledger.notices.apply([noted], at(2))
    await ledger.notices.apply([{ ...noted, run: elsewhere }], at(3))
    expect(await testLedger.queryOne('SELECT count(*) AS notices FROM notice')).toEqual({ notices: 1 })
    const summary = { key: 'summary', facts: { about: 'summary', run }, recipients: [] }
    const ofElsewhere = { key: 'elsewhere', facts: { about: 'summary', run: elsewhere }, recipients: [] }
    for (const each of [summary, ofElsewhere]) {
      await ledger.notices.apply([{ ...opening, ...each }], at(4))
      await ledger.notices.apply([{ do: 'recover', always: true, ...each }], at(5))
    }
    const { rows } = await database.query(
      `SELECT source_name AS name, refusal_noted_at AS noted, summarized_at AS summarized FROM run
       WHERE refusal_noted_at IS NOT NULL OR summarized_at IS NOT NULL`,
    )
    expect(rows).toEqual([{ name: 'own', noted: at(1), summarized: at(5) }])
  })
})

describeWithDatabase('open notices', () => {
  test('are shown in the order in which they were opened, with who was notified', async () => {
    await using testLedger = await openTestLedger()
    const { database } = testLedger
    const later = await addNotice(database, 'later', { opened_at: at(1) })
    await addNotice(database, 'earlier', { opened_at: at(0) })
    await addNotice(database, 'ended', { recovered_at: at(0) })
    const elsewhere = await addNotice(database, 'of production', { ...production, opened_at: at(2) })
    const message = async (minutes: number, recipient: string) =>
      addMessage(database, { delivered_at: at(minutes), recipient })
    await addChange(database, later, { recipient: 'ops', message_id: await message(5, 'ops') })
    await addChange(database, later, { recipient: 'ops', message_id: await message(4, 'ops') })
    await addChange(database, later, { recipient: 'home' })
    await addChange(database, elsewhere, { recipient: 'office', message_id: await message(9, 'office') })
    await using unordered = await openUnordered(testLedger)
    const open = await unordered.ledger.notices.open()
    expect(open.map(({ key, readers }) => `${key}: ${readers}`)).toEqual(['earlier: ', 'later: home,ops'])
    const shown = await unordered.ledger.notices.shown()
    expect(shown.map(({ key, recipients }) => ({ key, recipients }))).toEqual([
      { key: 'earlier', recipients: [] },
      {
        key: 'later',
        recipients: [
          { recipient: 'home', notifiedAt: null },
          { recipient: 'ops', notifiedAt: at(5) },
        ],
      },
    ])
    const all = await (await openWholeLedger(database, 'any')).notices.shown()
    expect(all.map(({ key }) => key)).toEqual(['earlier', 'later', 'of production'])
  })

  test('are about settings, each of which is watched since it was made', async () => {
    await using testLedger = await openTestLedger()
    const { database, ledger } = testLedger
    const elsewhere = await openWholeLedger(database, 'production')
    const watch = (each: typeof ledger, subject: string, terms: string, minutes: number) =>
      each.notices.watchedSince(subject, terms, at(minutes))
    await watch(elsewhere, 'own', 'a', 0)
    await watch(ledger, 'other', 'a', 1)
    expect(await watch(ledger, 'own', 'a', 2)).toEqual(at(2))
    expect(await watch(ledger, 'own', 'b', 3)).toEqual(at(3))
    expect(await watch(ledger, 'own', 'b', 4)).toEqual(at(3))
    expect(await watch(ledger, 'other', 'a', 5)).toEqual(at(1))
    expect(await watch(elsewhere, 'own', 'a', 6)).toEqual(at(0))
    // Another process has just made the same change.
    await database.query(`UPDATE notice_watch SET terms = 'c' WHERE subject = 'own' AND environment = 'development'`)
    expect(await watch(ledger, 'own', 'c', 7)).toEqual(at(3))
  })
})
