// Every list that is refused is reported once, by its name or its number, whatever came before it or after it.

import { describe, expect, test } from 'vitest'
import { tidyNotices } from '#jobs/notices/tidy-notices.ts'
import { refusalsOf } from '#src/files/tables/source-error.ts'
import { listNames } from '#src/files/tables/zip-source/gather-images.ts'
import { recipients } from '#test/support/domain-objects.ts'
import { partsOf } from '#test/support/mail-server.ts'
import { type NoticeWorld, type NoticeWorldOptions, openNoticeWorld } from '#test/support/notice-world.ts'

const minute = 60_000
const hour = 60 * minute
const refusedOnly: NoticeWorldOptions = {
  notify: () => ({ to: { ops: { email: ['ops@example.org'], on: ['refused'] } } }),
}

async function openWatchedWorld(options: NoticeWorldOptions = refusedOnly): Promise<NoticeWorld> {
  const world = await openNoticeWorld(options)
  await world.round()
  return world
}

async function receive({ ledger }: NoticeWorld, name: string): Promise<string> {
  const source = { pipeline: 'spring', sourceName: name, sourcePath: `/in/${name}`, sourceSha256: name }
  return (await ledger.ledger.runs.receive(source)).run.id
}

async function refuse(world: NoticeWorld, name: string, sentence = 'It has no column for the field “Email”.') {
  const run = await receive(world, name)
  await world.ledger.ledger.runs.refuse(run, sentence)
  return run
}

const accept = ({ ledger }: NoticeWorld, from: number) => ledger.publish(recipients(1, from))

const texts = ({ mail }: NoticeWorld) => mail.received.map((each) => partsOf(each).text)
/** How many messages have this text. */
const times = (world: NoticeWorld, text: string) => texts(world).filter((each) => each.includes(text)).length
const prefix = 'credsync (development): spring: '
/** Without the age. */
const titles = (world: NoticeWorld) => world.subjects().map((subject) => subject.replace(/ \(for .*\)$/, ''))

describe('a refused list is reported once', () => {
  test('if an accepted one follows before anybody looks', async () => {
    await using world = await openWatchedWorld()
    await refuse(world, 'march.csv')
    await accept(world, 1)
    for (let passed = 0; passed < 30; passed++) await world.pass(hour)
    expect(titles(world)).toEqual([`${prefix}march.csv was refused`])
    expect(texts(world)[0]).toContain('It has no column for the field “Email”.')
    expect(texts(world)[0]).toContain('unless a later list replaces it')
    expect((await world.ledger.ledger.notices.open()).filter(({ kind }) => kind === 'refused')).toEqual([])
  })

  test('if an accepted one follows while its message waits', async () => {
    await using world = await openWatchedWorld()
    await refuse(world, 'march.csv')
    await world.pass(0)
    await accept(world, 1)
    await refuse(world, 'april.csv')
    await world.pass(minute)
    await accept(world, 10)
    for (let passed = 0; passed < 3; passed++) await world.pass(10 * minute)
    expect(world.subjects()[0]).toBe(`${prefix}march.csv was refused`)
    expect(world.subjects()).toHaveLength(2)
    expect(texts(world)[1]).toContain('april.csv was refused')
    expect(times(world, 'march.csv')).toBe(1)
  })

  test('if it is the second one, at once and not with the next reminder', async () => {
    await using world = await openWatchedWorld()
    await refuse(world, 'march.csv')
    await world.pass(0)
    await refuse(world, 'april.csv', 'It is empty.')
    await world.pass(hour)
    expect(titles(world)).toEqual([`${prefix}march.csv was refused`, `${prefix}april.csv was refused`])
    await accept(world, 1)
    await world.pass(hour)
    expect(world.subjects()[2]).toMatch(/Over: spring: a list was accepted again/)
    expect(world.subjects()).toHaveLength(3)
  })

  test('if it came before an accepted one and was read for longer', async () => {
    await using world = await openWatchedWorld()
    const slow = await receive(world, 'slow.csv')
    await accept(world, 1)
    await world.pass(0)
    await world.ledger.ledger.runs.refuse(slow, 'It has no column e_mail.')
    for (let passed = 0; passed < 3; passed++) await world.pass(hour)
    expect(titles(world)).toEqual([`${prefix}slow.csv was refused`])
  })

  test('if its pipeline is not in the configuration', async () => {
    await using world = await openWatchedWorld()
    const source = { pipeline: 'sprnig', sourceName: 'march.csv', sourcePath: '/in/march.csv', sourceSha256: 'x' }
    const { run } = await world.ledger.ledger.runs.receive(source)
    await world.ledger.ledger.runs.refuse(run.id, 'There is no pipeline sprnig.')
    for (let passed = 0; passed < 3; passed++) await world.pass(hour)
    expect(titles(world)).toEqual(['credsync (development): sprnig: march.csv was refused'])
  })

  test('by its number if messages may not name files', async () => {
    await using world = await openWatchedWorld({
      notify: (ports) => ({ ...refusedOnly.notify?.(ports), fileNames: false }),
    })
    const runs = [await refuse(world, 'Anna.csv', 'Anna.csv is empty.'), await refuse(world, 'Otto.csv')]
    await world.pass(0)
    for (const run of runs) expect(times(world, `list ${run.slice(0, 8)}`)).toBe(1)
    expect(world.mail.received.map(({ raw }) => raw).join()).not.toMatch(/Anna|Otto/)
  })
})

test('if messages may not name files, a reason names none: neither as it was taken, nor one inside of it', async () => {
  await using world = await openWatchedWorld({
    notify: (ports) => ({ ...refusedOnly.notify?.(ports), fileNames: false }),
  })
  // The name in the inbox had characters that a taken file does not have.
  const taken = '2026-11-24T06-00-00Z.1a2b3c4d.Anna-Lovelace.zip'
  const source = { pipeline: 'spring', sourceName: 'Anna\tLovelace.zip', sourcePath: `/in/processing/${taken}` }
  const { run } = await world.ledger.ledger.runs.receive({ ...source, sourceSha256: 'x' })
  const refuse = refusalsOf(source.sourcePath)
  const { message } = refuse('archive', `The ZIP contains 2 tables: ${listNames(['Otto.csv', 'Emil.csv'])}.`)
  await world.ledger.ledger.runs.refuse(run.id, message)
  await world.pass(0)
  expect(texts(world)[0]).toContain('The ZIP contains 2 tables')
  expect(texts(world)[0]).not.toMatch(/Anna|Lovelace|Otto|Emil/)
})

test('each of many refused lists is named in one message, with its reason', async () => {
  await using world = await openWatchedWorld()
  const names = Array.from({ length: 40 }, (_, list) => `list-${list}.csv`)
  for (const [index, name] of names.entries()) {
    await refuse(world, name, index === 7 ? 'It is empty.' : 'It has no column e_mail.')
    if (index % 10 === 0) await world.pass(10_000)
  }
  for (let passed = 0; passed < 3; passed++) await world.pass(hour)
  expect(world.mail.received.length).toBeLessThan(4)
  for (const name of names) expect([name, times(world, `${name}`)]).toEqual([name, 1])
  expect(texts(world).join()).toMatch(/list-7\.csv: It is empty\./)
})

test('nobody reads of the lists that were refused while nobody wanted to know', async () => {
  const silent = { to: { ops: { email: ['ops@example.org'], on: ['person'] } } }
  let notify: Record<string, unknown> = silent
  await using world = await openNoticeWorld({ notify: () => notify })
  await world.round()
  await refuse(world, 'march.csv')
  await accept(world, 1)
  await world.pass(hour)
  notify = { to: { ops: { email: ['ops@example.org'], on: ['refused'] } } }
  world.configure({ spring: {} })
  for (let passed = 0; passed < 3; passed++) await world.pass(hour)
  expect(titles(world)).toEqual([])
})

test('nobody reads of the lists that were refused while there was no `notify`', async () => {
  await using world = await openWatchedWorld()
  const { notices } = world.tools
  await tidyNotices({ ...world.tools, notices: { ...notices, settings: null } })
  await refuse(world, 'march.csv')
  await accept(world, 1)
  for (let passed = 0; passed < 3; passed++) await world.pass(hour)
  expect(titles(world)).toEqual([])
})
