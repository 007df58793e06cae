// The commands that only look at the service: lists, fields, sample and report, against the sandbox on the wire.

import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { namedLists } from '#src/cli/named-lists.ts'
import { openSandboxIssuer } from '#test/support/sandbox-issuer.ts'
import { envelope, json, openScriptedServer, raw } from '#test/support/scripted-server.ts'
import { type AtHand, openAtHand, pipelineOf } from './in-process.ts'

const parsed = (stdout: string) => JSON.parse(stdout)

describe('credsync lists', () => {
  test('shows every list whole, over many small pages, as a table and as JSON', async () => {
    const [small, large] = [await openAtHand({ sandbox: { maxPage: 3 } }), await openAtHand()]
    const look = async (name: string) => {
      const of = name === 'mail-templates' ? ['--course', 'spring'] : []
      const [paged, whole, table] = await Promise.all([
        small.run('lists', name, ...of, '--json'),
        large.run('lists', name, ...of, '--json'),
        small.run('lists', name, ...of),
      ])
      const { items, complete, list } = parsed(paged.stdout)
      expect([name, items.length > 0, complete, list]).toEqual([name, true, true, name])
      expect(items).toEqual(parsed(whole.stdout).items)
      const [heading = '', ...lines] = table.stdout.trimEnd().split('\n')
      expect(heading).toMatch(/^uuid +\w/)
      expect(lines).toHaveLength(items.length)
      expect([paged.code, whole.code, table.code, table.stderr]).toEqual([0, 0, 0, ''])
    }
    await Promise.all(Object.keys(namedLists).map(look))
  })

  test('searches by each of the service’s keys, and looks through the lists that have none', async () => {
    const hand = await openAtHand()
    const search = async (list: string, text: string) =>
      parsed((await hand.run('lists', list, '--search', text, '--json')).stdout).items
    expect(await search('currencies', 'EUR')).toEqual([expect.objectContaining({ code: 'EUR' })])
    expect(await search('currencies', 'Euro')).toEqual([expect.objectContaining({ code: 'EUR' })])
    const all = parsed((await hand.run('lists', 'categories', '--json')).stdout).items
    const few = await search('categories', all[0].course_category.toUpperCase())
    expect(few.length).toBeGreaterThan(0)
    expect(few.length).toBeLessThan(all.length)
    const nothing = await hand.run('lists', 'languages', '--search', 'no such tongue')
    expect(nothing).toEqual({ code: 0, stdout: '', stderr: 'Nothing was found.\n' })
  })

  test('narrows sponsors to a certification body, by name or uuid', async () => {
    const hand = await openAtHand()
    const [body] = parsed((await hand.run('lists', 'certification-bodies', '--json')).stdout).items
    const all = parsed((await hand.run('lists', 'sponsors', '--json')).stdout).items
    const of = (word: string) => hand.run('lists', 'sponsors', '--certification-body', word, '--json')
    const [byName, byUuid] = [await of(body.user_name.toUpperCase()), await of(body.certification_uuid)]
    expect(parsed(byName.stdout).items.length).toBeLessThan(all.length)
    expect(byName.stdout).toBe(byUuid.stdout)
    const wrong = await of(`${body.user_name}x`)
    expect(wrong.stderr).toContain(`Did you mean “${body.user_name}”?`)
    expect(wrong.code).toBe(2)
  })

  test('says when a list was cut, and ends with 4', async () => {
    const hand = await openAtHand()
    const server = await openScriptedServer()
    onTestFinished(() => server.close())
    server.on('/entityaccess/token', envelope({ accessToken: 'a', refreshToken: 'r' }))
    server.on(
      '/certification-body/list',
      envelope([{ certification_uuid: 'u', user_name: 'B' }], { filteredRecords: 3 }),
    )
    hand.env.CREDSYNC_BASE_URL = server.url
    const [table, document] = [
      await hand.run('lists', 'certification-bodies'),
      await hand.run('lists', 'certification-bodies', '--json'),
    ]
    expect(table).toMatchObject({ code: 4, stdout: 'uuid  name\nu     B\n' })
    expect(document.code).toBe(4)
    expect(table.stderr).toBe('The list is cut: the service promises more than the 1 item that it gave.\n')
    expect(parsed(document.stdout)).toMatchObject({ complete: false, items: [{ user_name: 'B' }] })
  })

  test.each<[string[], string]>([
    [['curencies'], 'Did you mean currencies?'],
    [['mail-templates'], 'say which with --course'],
    [['modules', '--course', 'spring'], 'leave out --course'],
    [['modules', '--certification-body', 'x'], 'leave out --certification-body'],
    [['mail-templates', '--course', 'sprint'], 'Did you mean “spring”?'],
    [['mail-templates', '--course', 'WELD-11'], 'Did you mean “WELD-1”?'],
    [['languages', '--search', ' '], '--search is empty'],
  ])('answers %j with 2 and what to do', async (argv, words) => {
    const { code, stderr } = await (await openAtHand()).run('lists', ...argv)
    expect(stderr).toContain(words)
    expect(code).toBe(2)
  })
})

describe('credsync fields', () => {
  test('shows what a course asks, found by uuid, number, name or pipeline', async () => {
    const hand = await openAtHand()
    const [course] = hand.sandbox.courses
    const words = [course?.uuid ?? '', course?.number ?? '', course?.name ?? '', 'spring']
    const shown = await Promise.all(words.map((word) => hand.run('fields', word, '--json')))
    for (const { code, stdout } of shown) expect([code, stdout]).toEqual([0, shown[0]?.stdout])
    expect(parsed(shown[0]?.stdout ?? '').fields[0]).toMatchObject({
      displayName: 'Email',
      maxLength: 128,
      required: true,
    })
    const { stdout } = await hand.run('fields', 'spring')
    expect(stdout).toMatch(/^field +internal name +type +required +max +sample +pattern\n/)
    expect(stdout).toMatch(/^Birth Date +birth_date +date date-picker +1990-12-31$/m)
    const narrow = await hand.runOnTerminal(80, 'fields', 'spring')
    expect(narrow.split('\n').every((line) => line.length <= 80)).toBe(true)
    expect(narrow).toContain('…')
  })

  test('refuses a template for columns that the course does not have, and --to without a template', async () => {
    const pipelines = (sandbox: AtHand['sandbox']) => ({
      spring: pipelineOf(sandbox, { columns: { Emial: 'mail' } }),
    })
    const hand = await openAtHand({ pipelines })
    const wrong = await hand.run('fields', 'spring', '--template', 'csv')
    expect(wrong.stderr).toContain('Did you mean “Email”?')
    const alone = await hand.run('fields', 'spring', '--to', 'x.csv')
    expect(alone.stderr).toContain('add --template')
    expect([wrong.code, alone.code]).toEqual([2, 2])
  })
})

describe('credsync sample', () => {
  test('keeps what comes under a name that fits it, and never over another file by itself', async () => {
    const hand = await openAtHand()
    const sheet = await hand.run('sample', 'sheet', 'WELD-1')
    const data = await hand.run('sample', 'data', 'WELD-1', '--to', 'deep/below/it.bin')
    const [sheetPath, dataPath] = [
      join(hand.folder, 'WELD-1.sample-sheet.xlsx'),
      join(hand.folder, 'deep/below/it.bin'),
    ]
    expect([sheet.stdout, data.stdout]).toEqual([`${sheetPath}\n`, `${dataPath}\n`])
    expect((await readFile(sheetPath)).subarray(0, 2).toString()).toBe('PK')
    expect(data.stderr).toContain('By its content it is .zip')

    await writeFile(sheetPath, 'mine')
    const again = await hand.run('sample', 'sheet', 'WELD-1')
    expect([again.code, again.stderr]).toEqual([2, expect.stringContaining('is there already. Say --force')])
    expect(await readFile(sheetPath, 'utf8')).toBe('mine')
    expect((await hand.run('sample', 'sheet', 'WELD-1', '--force')).code).toBe(0)
    expect((await readFile(sheetPath)).subarray(0, 2).toString()).toBe('PK')

    const unknown = await hand.run('sample', 'sheet', '00000000-0000-4000-8000-00000000dead')
    expect([unknown.code, unknown.stderr]).toEqual([2, expect.stringContaining('404')])
  })
})

test('an error that comes in place of a sample is no sample, and refused keys end with 4', async () => {
  const hand = await openAtHand()
  const server = await openScriptedServer()
  onTestFinished(() => server.close())
  server.on('/entityaccess/token', envelope({ accessToken: 'a', refreshToken: 'r' }))
  server.on('/sample-sheet', json(200, { status: 404, message: 'No such course', payload: {} }))
  server.on('/sample-data', raw(200, '{"a": 1}', { 'content-type': 'application/json; charset=utf-8' }))
  hand.env.CREDSYNC_BASE_URL = server.url
  const [sheet, data] = [await hand.run('sample', 'sheet', 'spring'), await hand.run('sample', 'data', 'spring')]
  expect(sheet).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('No such course') })
  expect(data).toMatchObject({ code: 0, stdout: `${join(hand.folder, 'spring.sample-data.json')}\n` })
  expect(await readdir(hand.folder)).not.toContainEqual(expect.stringContaining('sample-sheet'))

  hand.env.CREDSYNC_BASE_URL = hand.sandbox.url
  hand.env.CREDSYNC_SECRET = 'wrong'
  expect((await hand.run('lists', 'languages', '--json')).code).toBe(4)
})

describe('credsync report', () => {
  const people = Array.from({ length: 12 }, (_, n) => ({
    Email: n === 7 ? 'reject.me@example.org' : `person.${n}@example.org`,
    'First Name': n === 3 ? 'Zoë\u001b[31m' : 'Ada',
    'Last Name': `Nr${n}`,
    'Contact Number': `030000${n}`,
    'Primary Value': 'Email',
    'Register Number': `R-${n}`,
  }))

  async function openIssued(): Promise<AtHand> {
    const hand = await openAtHand({ sandbox: { pace: { queueMs: 0, progressMs: 0 } } })
    const [course] = hand.sandbox.courses
    const issuer = openSandboxIssuer(hand.sandbox)
    onTestFinished(() => issuer.close())
    const { uuid = '', templateUuid = '', badgeTemplateUuid = '' } = course ?? {}
    const request = { courseUuid: uuid, templateUuid, badgeTemplateUuid, students: people }
    const outcome = await issuer.invite(issuer.prepareInvitation(request), { deadlineMs: 5_000 })
    expect(outcome.class).toBe('accepted')
    return hand
  }

  test('ends with 4 when the report broke off, and with 0 when more was not asked for', async () => {
    const hand = await openAtHand()
    const server = await openScriptedServer()
    onTestFinished(() => server.close())
    const pager = { pageNumber: 1, recordsPerPage: 1, filteredRecords: 3, totalRecords: 3 }
    const item = { name: 'A', entity_uuid: 'u', credential_id: '1', request_date: '2026-03-01' }
    server.on('/entityaccess/token', envelope({ accessToken: 'a', refreshToken: 'r' }))
    const report = '/certificate/student/report'
    server.on(report, envelope({ data: [item] }, pager), envelope({ data: [] }, pager))
    hand.env.CREDSYNC_BASE_URL = server.url
    const all = await hand.run('report', '--limit', 'all')
    expect(all.stderr).toMatch(/The report broke off: 1 of 3 are shown/)
    expect(all.code).toBe(4)
    server.on(report, envelope({ data: [item] }, pager))
    const one = await hand.run('report', '--limit', '1')
    expect(one.stderr).toContain('The newest 1 of 3 are shown')
    expect(one.code).toBe(0)
  })

  test('finds by each key, shows whole items in JSON only, and counts what it leaves out', async () => {
    const hand = await openIssued()
    const items = async (...argv: string[]) => parsed((await hand.run('report', '--json', ...argv)).stdout).items
    const all = await items()
    expect(all).toHaveLength(12)
    const [one] = await items('--email', 'person.2@example.org')
    expect(one).toMatchObject({ lname: 'Nr2', reg_no: 'R-2', issued_status: 'Request Completed' })
    expect(one.certificate_path).toMatch(/^http/)
    const today = one.request_date
    const found: [string[], unknown][] = [
      ...[
        ['--contact', '0300002'],
        ['--reg-no', 'R-2'],
        ['--credential-id', one.credential_id],
        ['--name', 'Nr2'],
      ].map((argv): [string[], unknown] => [argv, [{ ...one, certificate_path: expect.any(String) }]]),
      [['--status', 'rejected'], [expect.objectContaining({ email_: 'reject.me@example.org' })]],
      [['--status', '3, Request-Failed'], expect.objectContaining({ length: 11 })],
      [['--requested', `${today}..`], expect.objectContaining({ length: 12 })],
      [['--requested', '..2020-01-01'], []],
      [['--issued', today, '--batch', 'no such batch'], []],
      [['--certificate', one.certificate_name, '--limit', 'all'], expect.objectContaining({ length: 12 })],
      ...['--uid', '--cert-no', '--unique-no', '--membership-id'].map((key): [string[], unknown] => [
        [key, 'none'],
        [],
      ]),
    ]
    await Promise.all(
      found.map(async ([argv, expected]) => expect([argv, await items(...argv)]).toEqual([argv, expected])),
    )

    const table = await hand.run('report', '--reg-no', 'R-3')
    expect(table.stdout).toMatch(
      /^requested +status +name +e-mail +contact +certificate .*credential +issued .*reg_no\n/,
    )
    expect(table.stdout).not.toContain('http')
    expect(table.stdout).not.toContain('\u001b')
    expect(table.stderr).toBe('1 item, which is all.\n')
    const few = await hand.run('report', '--limit', '5')
    expect(few.stdout.trimEnd().split('\n')).toHaveLength(6)
    expect(few.stderr).toBe('The newest 5 of 12 are shown; --limit shows more.\n')
    for (const { stderr } of [table, few]) expect(stderr).not.toContain('example.org')

    hand.sandbox.misbehave({ heardSearch: 'none' })
    const unheard = await hand.run('report', '--reg-no', 'R-3', '--email', 'person.3@example.org')
    expect(unheard.stderr).toContain('do not show the email_ and reg_no that was searched for')
  })

  test('ends at once with Ctrl-C, also while the service does not answer', async () => {
    const hand = await openAtHand()
    const server = await openScriptedServer()
    onTestFinished(() => server.close())
    const ctrlC = new AbortController()
    server.on('/entityaccess/token', () => ctrlC.abort('SIGINT'))
    hand.env.CREDSYNC_BASE_URL = server.url
    expect(await hand.runUntil(ctrlC.signal, 'report')).toEqual({ code: 130, stdout: '', stderr: '' })
  })

  test.each<[string[], string]>([
    [['--status', 'complete'], 'Did you mean “Completed”?'],
    [['--status', '9'], 'There are: 1 Ready to issue'],
    [['--requested', '2026-02-30..'], 'is no day'],
    [['--requested', '2026-03-01..2026-02-01'], 'ends before it begins'],
    [['--issued', '..'], 'is not a range'],
    [['--valid-till', 'tomorrow'], 'YYYY-MM-DD'],
    [['--email', ' '], '--email is empty'],
    [['--credential-id', ''], '--credential-id is empty'],
    [['--limit', '0'], '--limit 0'],
  ])('answers %j with 2 and what to do', async (argv, words) => {
    const { code, stderr } = await (await openAtHand()).run('report', ...argv)
    expect(stderr).toContain(words)
    expect(code).toBe(2)
  })
})
