// The commands that only read from the service, lists and fields, against the sandbox over HTTP.

import { describe, expect, onTestFinished, test } from 'vitest'
import { serviceLists } from '#src/cli/service-lists.ts'
import { envelope, openScriptedServer } from '#test/support/scripted-server.ts'
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

test('exits with 4 if keys are refused', async () => {
  const setup = await openCliSetup()
  setup.env.CREDSYNC_SECRET = 'wrong'
  expect((await setup.run('lists', 'languages', '--json')).code).toBe(4)
})

test('ends immediately on Ctrl-C, even while the service does not answer', async () => {
  const setup = await openCliSetup()
  const server = await openScriptedServer()
  onTestFinished(() => server.close())
  const ctrlC = new AbortController()
  server.on('/entityaccess/token', () => ctrlC.abort('SIGINT'))
  setup.env.CREDSYNC_BASE_URL = server.url
  expect(await setup.runUntil(ctrlC.signal, 'lists', 'languages')).toEqual({ code: 130, stdout: '', stderr: '' })
})
