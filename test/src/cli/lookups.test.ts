// The commands that only read from the service: lists, fields, sample and report, against the sandbox over HTTP.

import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { serviceLists } from '#src/cli/service-lists.ts'
import { openSandboxIssuer } from '#test/support/sandbox-issuer.ts'
import { envelope, json, openScriptedServer, raw } from '#test/support/scripted-server.ts'
import { type CliSetup, openCliSetup, pipelineOf } from './cli-setup.ts'

const parsed = (stdout: string) => JSON.parse(stdout)

describe('credsync lists', () => {
  test('shows every list completely, over many small pages, as a table and as JSON', async () => {
    const setup = await openCliSetup({ sandbox: { maxPage: 3 } })
    const compareList = async (name: string) => {
      const of = name === 'mail-templates' ? ['--course', 'spring'] : []
      const [document, table] = await Promise.all([
        setup.run('lists', name, ...of, '--json'),
        setup.run('lists', name, ...of),
      ])
      const { items, complete, list } = parsed(document.stdout)
      expect([name, items.length > 0, complete, list]).toEqual([name, true, true, name])
      const [heading = '', ...lines] = table.stdout.trimEnd().split('\n')
      expect(heading).toMatch(/^uuid +\w/)
      expect(lines).toHaveLength(items.length)
      expect([document.code, table.code, table.stderr]).toEqual([0, 0, ''])
    }
    await Promise.all(Object.keys(serviceLists).map(compareList))
  })

  test('searches by each key of the service, and filters the lists that have no keys', async () => {
    const setup = await openCliSetup()
    const search = async (list: string, text: string) =>
      parsed((await setup.run('lists', list, '--search', text, '--json')).stdout).items
    expect(await search('currencies', 'EUR')).toEqual([expect.objectContaining({ code: 'EUR' })])
    expect(await search('currencies', 'Euro')).toEqual([expect.objectContaining({ code: 'EUR' })])
    const all = parsed((await setup.run('lists', 'categories', '--json')).stdout).items
    const text = all[0].course_category.toUpperCase()
    const few = await search('categories', text)
    expect(few).toEqual(all.filter((item: object) => JSON.stringify(item).toUpperCase().includes(text)))
    expect(few.length).toBeLessThan(all.length)
    const nothing = await setup.run('lists', 'languages', '--search', 'no such tongue')
    expect(nothing).toEqual({ code: 0, stdout: '', stderr: 'Nothing was found.\n' })
  })

  test('filters sponsors by certification body', async () => {
    const setup = await openCliSetup()
    const [body] = parsed((await setup.run('lists', 'certification-bodies', '--json')).stdout).items
    const all = parsed((await setup.run('lists', 'sponsors', '--json')).stdout).items
    const ofOne = await setup.run('lists', 'sponsors', '--certification-body', body.certification_uuid, '--json')
    expect(parsed(ofOne.stdout).items.length).toBeLessThan(all.length)
  })

  test('reports an incomplete list, and exits with 4', async () => {
    const setup = await openCliSetup()
    const server = await openScriptedServer()
    onTestFinished(() => server.close())
    server.on('/entityaccess/token', envelope({ accessToken: 'a', refreshToken: 'r' }))
    server.on(
      '/certification-body/list',
      envelope([{ certification_uuid: 'u', user_name: 'B' }], { filteredRecords: 3 }),
    )
    setup.env.CREDSYNC_BASE_URL = server.url
    const [table, document] = [
      await setup.run('lists', 'certification-bodies'),
      await setup.run('lists', 'certification-bodies', '--json'),
    ]
    expect(table).toMatchObject({ code: 4, stdout: 'uuid  name\nu     B\n' })
    expect(document.code).toBe(4)
    expect(table.stderr).toBe('The list is incomplete: the service announced more than the 1 item that it returned.\n')
    expect(parsed(document.stdout)).toMatchObject({ complete: false, items: [{ user_name: 'B' }] })
  })

  test.each<[string[], string]>([
    [['curencies'], 'The lists are: currencies, '],
    [['mail-templates'], 'name it with --course'],
    [['modules', '--course', 'spring'], 'leave out --course'],
    [['modules', '--certification-body', 'x'], 'leave out --certification-body'],
    [['mail-templates', '--course', 'sprint'], 'Did you mean “spring”?'],
    [['mail-templates', '--course', 'WELD-11'], 'Did you mean “WELD-1”?'],
    [['languages', '--search', ' '], '--search is empty'],
  ])('answers %j with exit code 2 and a remedy', async (argv, words) => {
    const { code, stderr } = await (await openCliSetup()).run('lists', ...argv)
    expect(stderr).toContain(words)
    expect(code).toBe(2)
  })
})

describe('credsync fields', () => {
  test('shows the fields of a course, found by uuid, number, name or pipeline', async () => {
    const setup = await openCliSetup()
    const [course] = setup.sandbox.courses
    const words = [course?.uuid ?? '', course?.number ?? '', course?.name ?? '', 'spring']
    const shown = await Promise.all(words.map((word) => setup.run('fields', word, '--json')))
    for (const { code, stdout } of shown) expect([code, stdout]).toEqual([0, shown[0]?.stdout])
    expect(parsed(shown[0]?.stdout ?? '').fields[0]).toMatchObject({
      displayName: 'Email',
      maxLength: 128,
      required: true,
    })
    const { stdout } = await setup.run('fields', 'spring')
    expect(stdout).toMatch(/^field +internal name +type +required +max +sample +pattern\n/)
    expect(stdout).toMatch(/^Birth Date +birth_date +date date-picker +1990-12-31$/m)
  })

  test('refuses a template for columns that are not in the course, and --to without a template', async () => {
    const pipelines = (sandbox: CliSetup['sandbox']) => ({
      spring: pipelineOf(sandbox, { columns: { Emial: 'mail' } }),
    })
    const setup = await openCliSetup({ pipelines })
    const misspelled = await setup.run('fields', 'spring', '--template', 'csv')
    expect(misspelled.stderr).toContain('Did you mean the field “Email”?')
    const alone = await setup.run('fields', 'spring', '--to', 'x.csv')
    expect(alone.stderr).toContain('add --template')
    expect([misspelled.code, alone.code]).toEqual([2, 2])
  })
})

describe('credsync sample', () => {
  test('saves the file under a suitable name, and overwrites another file only with --force', async () => {
    const setup = await openCliSetup()
    const sheet = await setup.run('sample', 'sheet', 'WELD-1')
    const data = await setup.run('sample', 'data', 'WELD-1', '--to', 'deep/below/it.bin')
    const [sheetPath, dataPath] = [
      join(setup.folder, 'WELD-1.sample-sheet.xlsx'),
      join(setup.folder, 'deep/below/it.bin'),
    ]
    expect([sheet.stdout, data.stdout]).toEqual([`${sheetPath}\n`, `${dataPath}\n`])
    expect((await readFile(sheetPath)).subarray(0, 2).toString()).toBe('PK')
    expect(data.stderr).toContain('Its content is .zip')

    await writeFile(sheetPath, 'mine')
    const again = await setup.run('sample', 'sheet', 'WELD-1')
    expect([again.code, again.stderr]).toEqual([2, expect.stringContaining('already exists. Use --force')])
    expect(await readFile(sheetPath, 'utf8')).toBe('mine')
    expect((await setup.run('sample', 'sheet', 'WELD-1', '--force')).code).toBe(0)
    expect((await readFile(sheetPath)).subarray(0, 2).toString()).toBe('PK')

    const unknown = await setup.run('sample', 'sheet', '00000000-0000-4000-8000-00000000dead')
    expect([unknown.code, unknown.stderr]).toEqual([2, expect.stringContaining('404')])
  })
})

test('does not save an error as a sample, and exits with 4 if keys are refused', async () => {
  const setup = await openCliSetup()
  const server = await openScriptedServer()
  onTestFinished(() => server.close())
  server.on('/entityaccess/token', envelope({ accessToken: 'a', refreshToken: 'r' }))
  server.on('/sample-sheet', json(200, { status: 404, message: 'No such course', payload: {} }))
  server.on('/sample-data', raw(200, '{"a": 1}', { 'content-type': 'application/json; charset=utf-8' }))
  setup.env.CREDSYNC_BASE_URL = server.url
  const [sheet, data] = [await setup.run('sample', 'sheet', 'spring'), await setup.run('sample', 'data', 'spring')]
  expect(sheet).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('No such course') })
  expect(data).toMatchObject({ code: 0, stdout: `${join(setup.folder, 'spring.sample-data.bin')}\n` })
  expect(await readdir(setup.folder)).not.toContainEqual(expect.stringContaining('sample-sheet'))

  setup.env.CREDSYNC_BASE_URL = setup.sandbox.url
  setup.env.CREDSYNC_SECRET = 'wrong'
  expect((await setup.run('lists', 'languages', '--json')).code).toBe(4)
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

  async function openSetupWithIssued(): Promise<CliSetup> {
    const setup = await openCliSetup({ sandbox: { pace: { queueMs: 0, progressMs: 0 } } })
    const [course] = setup.sandbox.courses
    const issuer = openSandboxIssuer(setup.sandbox)
    onTestFinished(() => issuer.close())
    const { uuid = '', templateUuid = '', badgeTemplateUuid = '' } = course ?? {}
    const request = { courseUuid: uuid, templateUuid, badgeTemplateUuid, students: people }
    const outcome = await issuer.invite(issuer.prepareInvitation(request), { deadlineMs: 5_000 })
    expect(outcome.class).toBe('accepted')
    return setup
  }

  test('exits with 4 if the report is incomplete, but with 0 if the limit was reached', async () => {
    const setup = await openCliSetup()
    const server = await openScriptedServer()
    onTestFinished(() => server.close())
    const pager = { pageNumber: 1, recordsPerPage: 1, filteredRecords: 3, totalRecords: 3 }
    const item = { name: 'A', entity_uuid: 'u', credential_id: '1', request_date: '2026-03-01' }
    server.on('/entityaccess/token', envelope({ accessToken: 'a', refreshToken: 'r' }))
    const report = '/certificate/student/report'
    server.on(report, envelope({ data: [item] }, pager), envelope({ data: [] }, pager))
    setup.env.CREDSYNC_BASE_URL = server.url
    const all = await setup.run('report', '--limit', 'all')
    expect(all.stderr).toMatch(/The report was cut short: 1 of 3 are shown/)
    expect(all.code).toBe(4)
    server.on(report, envelope({ data: [item] }, pager))
    const one = await setup.run('report', '--limit', '1')
    expect(one.stderr).toContain('The newest 1 of 3 are shown')
    expect(one.code).toBe(0)
  })

  test('searches by each key, shows complete items in JSON only, and reports how many it leaves out', async () => {
    const setup = await openSetupWithIssued()
    const items = async (...argv: string[]) => parsed((await setup.run('report', '--json', ...argv)).stdout).items
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

    const table = await setup.run('report', '--reg-no', 'R-3')
    expect(table.stdout).toMatch(
      /^requested +status +name +e-mail +contact +certificate .*credential +issued .*reg_no\n/,
    )
    expect(table.stdout).not.toContain('http')
    expect(table.stdout).not.toContain('\u001b')
    expect(table.stderr).toBe('1 item in total.\n')
    const few = await setup.run('report', '--limit', '5')
    expect(few.stdout.trimEnd().split('\n')).toHaveLength(6)
    expect(few.stderr).toBe('The newest 5 of 12 are shown; --limit shows more.\n')
    for (const { stderr } of [table, few]) expect(stderr).not.toContain('example.org')
  })

  test('ends immediately on Ctrl-C, even while the service does not answer', async () => {
    const setup = await openCliSetup()
    const server = await openScriptedServer()
    onTestFinished(() => server.close())
    const ctrlC = new AbortController()
    server.on('/entityaccess/token', () => ctrlC.abort('SIGINT'))
    setup.env.CREDSYNC_BASE_URL = server.url
    expect(await setup.runUntil(ctrlC.signal, 'report')).toEqual({ code: 130, stdout: '', stderr: '' })
  })

  test.each<[string[], string]>([
    [['--status', '9'], 'The statuses are: 1 Ready to issue'],
    [['--requested', '2026-02-30..'], 'is not a date'],
    [['--requested', '2026-03-01..2026-02-01'], 'ends before it begins'],
    [['--issued', '..'], 'is not a range'],
    [['--valid-till', 'tomorrow'], 'YYYY-MM-DD'],
    [['--email', ' '], '--email is empty'],
    [['--credential-id', ''], '--credential-id is empty'],
    [['--limit', '0'], '--limit 0'],
  ])('answers %j with exit code 2 and a remedy', async (argv, words) => {
    const { code, stderr } = await (await openCliSetup()).run('report', ...argv)
    expect(stderr).toContain(words)
    expect(code).toBe(2)
  })
})
