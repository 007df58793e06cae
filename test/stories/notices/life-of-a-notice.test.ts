// Who is notified of what, once: notices open, are repeated daily, and end; messages are collected, and none is lost.

import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { MessageWords } from '#src/extensions/notices/compose-message.ts'
import { recipients } from '#test/support/domain-objects.ts'
import { headerOf, partsOf } from '#test/support/mail-server.ts'
import { openNoticeWorld } from '#test/support/notice-world.ts'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

/** Makes `count` rows wait for a decision, for the kind of reason that a person has to decide about. */
async function hold(world: Awaited<ReturnType<typeof openNoticeWorld>>, count: number, from = 1): Promise<string> {
  const { ledger } = world
  const run = await ledger.publish(recipients(count, from))
  const attempt = await ledger.send(count)
  await ledger.answer(attempt, { class: 'unknown' })
  await ledger.database.query(
    `UPDATE issuance SET state = 'held', reason = 'nobody can say', event = 'held', state_since = $2 WHERE run_id = $1`,
    [run, world.now()],
  )
  await ledger.ledger.runs.settle()
  await ledger.ledger.writeBacks.noteReported(run, 1)
  return run
}

/** Opens the notices of so many lists that are sent. */
async function summarize(world: Awaited<ReturnType<typeof openNoticeWorld>>, lists: number, results: string | null) {
  const summary = {
    ...{ about: 'summary', source: null, results, invalidRows: null, states: {}, faults: [] },
    ...{ rows: 0, accepted: 0, invalid: 0, skipped: 0, changed: 0 },
  }
  await world.ledger.ledger.notices.apply(
    Array.from({ length: lists }, (_, list) => ({
      ...{ do: 'open' as const, key: `summary ${list}`, kind: 'summary', pipeline: 'spring', since: world.now() },
      ...{ facts: { ...summary, run: randomUUID() }, recipients: ['ops'] },
    })),
    world.now(),
  )
}

const decideAll = (world: Awaited<ReturnType<typeof openNoticeWorld>>) =>
  world.ledger.database.query(`UPDATE issuance SET state = 'requested', event = 'decided' WHERE state = 'held'`)

describe('rows that wait for a decision', () => {
  test('are one message, repeated daily with their age, and the end is reported once', async () => {
    await using world = await openNoticeWorld({
      notify: () => ({ to: { ops: { email: ['ops@example.org'], on: ['person'] } } }),
    })
    await hold(world, 100)
    await world.pass(0)
    for (let round = 0; round < 8; round++) await world.pass(50 * minute)
    expect(world.subjects()).toEqual(['credsync (development): spring: 100 rows wait for a decision'])

    await world.pass(day)
    await world.pass(hour)
    expect(world.subjects()[1]).toMatch(/: spring: 100 rows wait for a decision \(for 1d 6h\)$/)

    await decideAll(world)
    await world.pass(hour)
    for (let round = 0; round < 5; round++) await world.pass(day)
    expect(world.subjects()).toHaveLength(3)
    expect(world.subjects()[2]).toMatch(/: Over: spring: no row waits for a decision any more \(after 1d 8h\)$/)
    const open = await world.ledger.ledger.notices.shown()
    expect(open.filter(({ kind }) => kind === 'person')).toEqual([])
  })
})

test('what is over and then begins again is not called over', async () => {
  await using world = await openNoticeWorld({
    notify: () => ({ to: { ops: { email: ['ops@example.org'], on: ['person'] } } }),
  })
  await hold(world, 1)
  await world.pass(0)
  await decideAll(world)
  await world.pass(minute)
  await hold(world, 2, 100)
  for (let passed = 0; passed < 3; passed++) await world.pass(10 * minute)
  const [, again, ...more] = world.mail.received
  expect(headerOf(again as never, 'subject')).toMatch(/: spring: 2 rows wait for a decision \(for \d+m.*\)$/)
  expect(partsOf(again as never).text).not.toContain('Over')
  expect(more).toEqual([])

  await decideAll(world)
  await world.pass(hour)
  expect(world.subjects()[2]).toContain('Over: spring: no row waits for a decision any more')
})

describe('messages', () => {
  test('collect what is new within `group`, and go out at once if there was none', async () => {
    await using world = await openNoticeWorld({
      notify: () => ({ to: { ops: { email: ['ops@example.org'], on: ['person', 'refused'] } } }),
    })
    const { ledger } = world.ledger
    await hold(world, 1)
    await world.pass(0)
    expect(world.subjects()).toHaveLength(1)
    for (let list = 0; list < 30; list++) {
      const { run } = await ledger.runs.receive({
        ...{
          pipeline: 'spring',
          sourceName: `list-${list}.csv`,
          sourcePath: `/in/${list}`,
          sourceSha256: String(list),
        },
      })
      await ledger.runs.refuse(run.id, `The file list-${list}.csv has no column e_mail.`)
      await world.pass(10_000)
    }
    expect(world.subjects()).toHaveLength(2)
    expect(world.subjects()[1]).toMatch(/spring: \d+ lists were refused, the last of them list-\d+\.csv/)
  })

  test('that are too long for a channel are continued in the next one', async () => {
    await using world = await openNoticeWorld({
      notify: ({ hooks }) => ({ to: { ops: { slack: `${hooks}/services/T0/B0/x`, on: ['summary'] } } }),
    })
    world.hooks.on('/services', (_, response) => response.writeHead(200).end('ok'))
    await summarize(world, 20, `/outbox/${'long '.repeat(80)}`)
    for (let round = 0; round < 4; round++) await world.pass(hour)
    const posts = world.hooks.requests('/services').map(({ body }) => body.match(/(?<=--run )[0-9a-f]{8}/g) ?? [])
    expect([posts.flat().length, new Set(posts.flat()).size]).toEqual([20, 20])
    expect(posts[0]?.length).toBeLessThan(20)
  })

  test('go only to recipients who want to know about that kind of thing, and that pipeline', async () => {
    await using world = await openNoticeWorld({
      notify: () => ({
        to: {
          office: { email: ['office@example.org'], on: ['summary'] },
          decide: { email: ['decide@example.org'], on: ['person'], pipelines: ['spring'] },
        },
      }),
    })
    await hold(world, 1)
    await world.pass(0)
    // Recipients are sent to at the same time.
    expect(world.mail.received.map(({ to, ...mail }) => [to[0], headerOf(mail as never, 'subject')]).sort()).toEqual([
      ['decide@example.org', 'credsync (development): spring: 1 row waits for a decision'],
      ['office@example.org', 'credsync (development): spring: people.csv is finished: 1 held'],
    ])
  })

  test('are lost neither in a day without a mail server nor in a restart, and nothing piles up', async () => {
    await using world = await openNoticeWorld({
      notify: () => ({ to: { ops: { email: ['ops@example.org'], on: ['person', 'refused'] } } }),
    })
    const { ledger } = world.ledger
    await world.mail.stop()
    await hold(world, 1)
    await world.pass(0)
    const { run } = await ledger.runs.receive({
      ...{ pipeline: 'spring', sourceName: 'list.csv', sourcePath: '/in/list', sourceSha256: 'x' },
    })
    await ledger.runs.refuse(run.id, 'No.')
    for (let passed = 0; passed < 24; passed++) await world.pass(hour)
    const [status] = await ledger.notices.recipients()
    expect(status).toMatchObject({ recipient: 'ops', waiting: 1, delivered: 0 })
    expect(status?.problem).toMatch(/^the mail server 127\.0\.0\.1 cannot be reached/)
    await world.mail.start()
    for (let passed = 0; passed < 3; passed++) await world.pass(hour)
    expect(world.subjects()).toEqual([
      expect.stringMatching(/1 row waits for a decision$/),
      expect.stringMatching(/list\.csv was refused, and 1 more$/),
    ])
    expect((await ledger.notices.recipients())[0]).toMatchObject({ waiting: 0, delivered: 2, problem: null })
  })

  test('that cannot be delivered are a notice to the others', async () => {
    await using world = await openNoticeWorld({
      notify: ({ hooks }) => ({
        to: {
          ops: { email: ['ops@example.org'], on: ['away'] },
          office: { slack: `${hooks}/services/T0/B0/x`, on: ['person'] },
        },
      }),
    })
    world.hooks.on('/services', (_, response) => response.writeHead(404).end('no_team'))
    await hold(world, 1)
    await world.pass(0)
    expect(world.subjects()).toEqual([])
    for (let passed = 0; passed < 4; passed++) await world.pass(10 * minute)
    expect(world.subjects()).toEqual([expect.stringMatching(/: messages to office cannot be delivered \(for 2\dm/)])
    const [mail] = world.mail.received
    expect(partsOf(mail as never).text).toMatch(/127\.0\.0\.1:\d+ did not accept the message \(HTTP 404\)/)
    expect(mail?.raw).not.toContain('services/T0')
    world.hooks.on('/services', (_, response) => response.writeHead(200).end('ok'))
    for (let passed = 0; passed < 3; passed++) await world.pass(hour)
    expect(world.subjects()[1]).toMatch(/: Over: messages to office are delivered again/)
  })

  test('that reach only some addresses of a recipient are one notice to the others until they reach all of them', async () => {
    let isRefused = true
    await using world = await openNoticeWorld({
      mail: {
        onRcptTo({ address }, _session, callback) {
          callback(isRefused && address.startsWith('gone@') ? new Error('no such user') : null)
        },
      },
      notify: () => ({
        to: {
          ops: { email: ['ops@example.org'], on: ['away'] },
          office: { email: ['office@example.org', 'gone@example.org'], on: ['person'] },
        },
      }),
    })
    const toOps = () =>
      world.mail.received.filter(({ to }) => to[0] === 'ops@example.org').map((mail) => headerOf(mail, 'subject'))
    await hold(world, 1)
    await world.pass(0)
    // With a reminder to the office, which again reaches one of the two.
    for (let passed = 0; passed < 27; passed++) await world.pass(hour)
    expect(world.mail.received.filter(({ to }) => to[0] === 'office@example.org')).toHaveLength(2)
    const about = 'credsync (development): messages to office do not reach all of its addresses'
    expect(toOps()).toEqual([expect.stringContaining(about), expect.stringContaining(about)])
    isRefused = false
    for (let passed = 0; passed < 24; passed++) await world.pass(hour)
    expect(toOps().slice(2)).toEqual([expect.stringMatching(/: Over: messages to office are delivered again/)])
  })

  test('whose delivery was not noted because of a kill are repeated once, with the same Message-ID', async () => {
    await using world = await openNoticeWorld()
    await hold(world, 1)
    await world.mail.stop()
    await world.pass(0)
    await world.mail.start()
    // What a worker does before it is killed: the server accepts the message, and nobody notes that.
    const message = await world.tools.ledger.notices.dueMessage<MessageWords>('ops', {
      ...{ now: new Date('2100-01-01'), latest: new Date('2100-01-02') },
    })
    const [ops] = world.tools.notices.recipients
    if (message) await ops?.channel.send(message, new AbortController().signal)
    for (let passed = 0; passed < 3; passed++) await world.pass(minute)
    const ids = world.mail.received.map((mail) => headerOf(mail, 'message-id'))
    expect(ids).toHaveLength(2)
    expect(new Set(ids).size).toBe(1)
    expect(ids[0]).toMatch(/^<[0-9a-f-]{36}@example\.org>$/)
  })
})

describe('a clock that was a day ahead and was set right', () => {
  test('delays neither what waits for its next try, nor what is collected, nor reminders', async () => {
    await using world = await openNoticeWorld({
      notify: () => ({ to: { ops: { email: ['ops@example.org'], on: ['person', 'refused'] } }, remind: '6h' }),
    })
    const { ledger } = world.ledger
    const refuses = async (name: string) => {
      const { run } = await ledger.runs.receive({
        ...{ pipeline: name, sourceName: `${name}.csv`, sourcePath: `/in/${name}`, sourceSha256: name },
      })
      await ledger.runs.refuse(run.id, 'No.')
    }
    const right = world.now().getTime()
    world.configure({ spring: {}, march: {}, april: {} })
    await hold(world, 1)
    await world.pass(day)
    expect(world.subjects()).toHaveLength(1)
    await refuses('march')
    await world.mail.stop()
    await world.pass(hour)
    await world.mail.start()
    const at = (ms: number) => world.at(new Date(right + ms).toISOString())
    await at(minute)
    expect(world.subjects()).toHaveLength(2)
    await refuses('april')
    for (const minutes of [2, 3, 20, 21]) await at(minutes * minute)
    expect(world.subjects().join()).toMatch(/march\.csv was refused.*april\.csv was refused/)
    const before = world.mail.received.length
    for (const hours of [7, 8]) await at(hours * hour)
    expect(world.mail.received.slice(before).map((mail) => partsOf(mail).text)).toEqual([
      expect.stringMatching(/1 row waits for a decision/),
    ])
  })
})

describe('a list', () => {
  test('is summarized when it is sent, and once more when its last row rests', async () => {
    await using world = await openNoticeWorld({
      notify: () => ({ to: { office: { email: ['office@example.org'], on: ['summary'] } } }),
    })
    await world.round()
    const { ledger } = world
    const run = await ledger.publish(recipients(3))
    await world.pass(0)
    expect(world.subjects()).toEqual([])
    await ledger.answer(await ledger.send(3), { class: 'accepted' })
    await world.pass(minute)
    for (let passed = 0; passed < 30; passed++) await world.pass(hour)
    await ledger.database.query(`UPDATE issuance SET state = 'in_progress', event = 'shown'`)
    await ledger.database.query(`UPDATE issuance SET state = 'issued', credential_id = 'c' || id, event = 'shown'`)
    await ledger.ledger.runs.settle()
    // It says where the results are, so it waits until they are written.
    await world.pass(minute)
    expect(world.subjects()).toHaveLength(1)
    await ledger.ledger.writeBacks.noteReported(run, 1)
    for (let passed = 0; passed < 3; passed++) await world.pass(hour)
    expect(world.subjects()).toEqual([
      'credsync (development): spring: people.csv is sent: 3 accepted by the service',
      'credsync (development): spring: people.csv is finished: 3 issued',
    ])
  })
})
