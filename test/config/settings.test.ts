// The configuration file: what is accepted, what is refused, and with which messages.

import { describe, expect, test } from 'vitest'
import { durationMs, parseFileSettings, readSettings } from '#config/settings.ts'
import { parseDuration } from '#src/platform/time/duration.ts'
import {
  goodEnv,
  goodFile,
  goodPipeline,
  readConfiguration,
  refusalOf,
  sentencesAbout,
  testFolder,
  uuid,
} from './configuration-files.ts'

const withPipeline = (more: object) => ({ ...goodFile, pipelines: { spring: { ...goodPipeline, ...more } } })

describe('a configuration', () => {
  test('is filled in with its defaults and cannot be changed at any depth', async () => {
    const settings = await readConfiguration(goodFile)
    expect(settings.file).toMatchObject({
      service: { limits: { general: 60, auth: 3 } },
      reconcile: { every: '15s', slowest: '15m', grace: '6h' },
      web: { host: '127.0.0.1', port: 8080 },
      log: { level: 'info' },
      pipelines: { spring: { batch: { size: 100, mode: 'json' }, columns: {}, identity: [] } },
    })
    const levels = [settings, settings.file, settings.file.pipelines.spring, settings.file.pipelines.spring?.batch]
    expect(levels.map((level) => Object.isFrozen(level))).toEqual([true, true, true, true])
    expect(() => Object.assign(settings.file.service, { environment: 'production' })).toThrow(TypeError)
  })

  test('resolves paths from the working directory, and removes trailing slashes of the address', async () => {
    const folder = await testFolder()
    const env = { ...goodEnv, CREDSYNC_BASE_URL: 'https://service.example/prefix//', CREDSYNC_DATA_DIR: 'somewhere' }
    const settings = await readConfiguration(goodFile, env, folder)
    expect(settings.baseUrl).toBe('https://service.example/prefix')
    expect(settings.dataDir).toBe(`${folder}/somewhere`)
    expect(settings.configPath).toBe(`${folder}/given.yaml`)
  })

  test('lets CREDSYNC_LOG_LEVEL override the file', async () => {
    const settings = await readConfiguration(
      { ...goodFile, log: { level: 'error' } },
      { ...goodEnv, CREDSYNC_LOG_LEVEL: 'debug' },
    )
    expect(settings.file.log.level).toBe('debug')
  })

  test('refuses a password for statements that can be guessed', async () => {
    const passwordFaults = async (length: number) => {
      const lms = { type: 'xapi', user: 'lms', password: 'x'.repeat(length) }
      const read = readConfiguration({ ...goodFile, systems: { lms } })
      return length < 24 ? sentencesAbout(await refusalOf(read), 'systems.lms.password') : (await read).file.systems.lms
    }
    expect(await passwordFaults(23)).toEqual([expect.stringContaining('has fewer than 24 characters')])
    expect(await passwordFaults(24)).toMatchObject({ user: 'lms' })
  })

  test('reports all errors in the file and the environment together', async () => {
    const error = await refusalOf(
      readConfiguration(
        {
          service: { environment: 'test', limits: { general: 61, auth: 0 } },
          pipelines: {
            'Bad Name': goodPipeline,
            // Invalid values must not hide an error of the pipeline as a whole, the missing course.
            spring: { template: 'x', badgeTemplate: 7, columns: { Email: 3 }, batch: { size: 0, mode: 'post' } },
          },
          reconcile: { every: 'soon' },
          web: { port: 'eighty' },
        },
        { CREDSYNC_BASE_URL: 'ftp://service.example', CREDSYNC_LOG_LEVEL: 'loud', REDIS_URL: 'http://redis.example' },
      ),
    )
    expect(error.faults.map((fault) => fault.where).sort()).toEqual(
      [
        'CREDSYNC_BASE_URL',
        'CREDSYNC_KEY',
        'CREDSYNC_LOG_LEVEL',
        'CREDSYNC_SECRET',
        'REDIS_URL',
        'REDIS_URL',
        'pipelines.Bad Name',
        'pipelines.spring.badgeTemplate',
        'pipelines.spring.batch.mode',
        'pipelines.spring.batch.size',
        'pipelines.spring.columns.Email',
        'pipelines.spring.course',
        'pipelines.spring.template',
        'reconcile.every',
        'service.environment',
        'service.limits.auth',
        'service.limits.general',
        'web.port',
      ].sort(),
    )
    for (const fault of error.faults) expect(error.message).toContain(`  - ${fault.where}: ${fault.sentence}`)
  })

  test('refuses to let a rule rest that is none, or that must not', async () => {
    const withRule = (rule: string) => withPipeline({ columns: { Name: { column: 'Name', allow: [rule] } } })
    const settings = await readConfiguration(withRule('damaged_letters'))
    expect(settings.file.pipelines.spring?.columns).toEqual({ Name: { column: 'Name', allow: ['damaged_letters'] } })
    for (const [rule, guess] of [
      ['damaged_leters', '; did you mean damaged_letters?'],
      ['required', ''],
    ] as const) {
      const error = await refusalOf(readConfiguration(withRule(rule)))
      const [sentence] = sentencesAbout(error, 'pipelines.spring.columns.Name.allow')
      expect(sentence).toContain(`has “${rule}”, which is not a rule that can rest${guess}`)
      expect(sentence).toContain('quotation_mark, apostrophe')
    }
  })

  test('accepts values of any kind that say who is meant, and refuses them for a learning system', async () => {
    const where = { Passed: [true, 1, 'yes'], Status: ['any'] }
    const { file } = await readConfiguration(withPipeline({ where }))
    expect(file.pipelines.spring?.where).toEqual({ Passed: ['true', '1', 'yes'], Status: ['any'] })
    const source = { system: 'campus', course: '7' }
    const error = await refusalOf(readConfiguration(withPipeline({ where, source })))
    expect(sentencesAbout(error, 'pipelines.spring.where')[0]).toContain('is for files')
    for (const [value, sentence] of [
      ['yes', 'is not a list'],
      [[], 'is empty'],
      [[null], 'is not a string, a number'],
    ] as const) {
      const refused = await refusalOf(readConfiguration(withPipeline({ where: { Passed: value } })))
      expect(refused.message).toContain(sentence)
      expect(refused.message).not.toMatch(/Invalid|expected|received/)
    }
  })

  test('accepts a brake with any of its limits, and refuses a brake without a limit', async () => {
    for (const brake of [{ rows: 500 }, { percent: 50 }, { perDay: 20 }, { rows: 0, percent: 0, perDay: 0 }]) {
      const settings = await readConfiguration(withPipeline({ brake }))
      expect(settings.file.pipelines.spring?.brake).toEqual(brake)
    }
    expect((await readConfiguration(goodFile)).file.pipelines.spring?.brake).toBeUndefined()
    const empty = await refusalOf(readConfiguration(withPipeline({ brake: {} })))
    expect(sentencesAbout(empty, 'pipelines.spring.brake')).toEqual([
      'is empty; set rows, percent or perDay, or several of them',
    ])
    const invalid = await refusalOf(readConfiguration(withPipeline({ brake: { rows: -1, percent: '50 %', per: 3 } })))
    expect(invalid.faults.map((fault) => fault.where).sort()).toEqual(
      ['brake.per', 'brake.percent', 'brake.rows'].map((name) => `pipelines.spring.${name}`),
    )
  })

  test('refuses each unknown setting, and suggests a similar name', async () => {
    const error = await refusalOf(readConfiguration({ ...withPipeline({ templte: uuid, sponsor: [] }), recncile: {} }))
    expect(error.faults.map((fault) => fault.where).sort()).toEqual([
      'pipelines.spring.sponsor',
      'pipelines.spring.templte',
      'recncile',
    ])
    expect(sentencesAbout(error, 'recncile')[0]).toContain('is not a setting; did you mean reconcile?')
    const misspelled = await refusalOf(
      readConfiguration(withPipeline({ badge_template: uuid, batch: { modes: 'json' }, shoes: 1 })),
    )
    expect(sentencesAbout(misspelled, 'pipelines.spring.badge_template')[0]).toContain('did you mean badgeTemplate?')
    expect(sentencesAbout(misspelled, 'pipelines.spring.batch.modes')[0]).toContain('did you mean mode?')
    expect(sentencesAbout(misspelled, 'pipelines.spring.shoes')[0]).toContain('check the spelling')
  })

  test('accepts retentionDays, and none by default', async () => {
    const daysOf = async (settings: object) =>
      (await readConfiguration(withPipeline(settings))).file.pipelines.spring?.retentionDays
    expect(await daysOf({})).toBeUndefined()
    expect(await daysOf({ retentionDays: 400 })).toBe(400)
    const error = await refusalOf(readConfiguration(withPipeline({ retentionDays: 0 })))
    expect(sentencesAbout(error, 'pipelines.spring.retentionDays')).toHaveLength(1)
  })

  test('accepts batch mode upload with and without an image column', async () => {
    const batchOf = async (batch: object) =>
      (await readConfiguration(withPipeline({ batch }))).file.pipelines.spring?.batch
    expect(await batchOf({ mode: 'upload' })).toEqual({ size: 100, mode: 'upload' })
    expect(await batchOf({ mode: 'upload', imageColumn: 'Photo' })).toMatchObject({ imageColumn: 'Photo' })
  })

  test.each([1, null])('says of a pipeline that is %j only that it is no group', async (spring) => {
    const { faults } = await refusalOf(readConfiguration({ ...goodFile, pipelines: { spring } }))
    expect(faults).toEqual([{ where: 'pipelines.spring', sentence: 'is not a group of settings' }])
  })

  test('refuses a signature that is neither a uuid nor a group', async () => {
    const error = await refusalOf(readConfiguration(withPipeline({ signatures: [7] })))
    expect(error.faults).toEqual([
      { where: 'pipelines.spring.signatures.0', sentence: 'is not a uuid, nor { uuid: …, required: … }' },
    ])
  })

  test('refuses options in batch mode upload, even if they are false, so that none is silently ignored', async () => {
    const upload = (more: object) => refusalOf(readConfiguration(withPipeline({ batch: { mode: 'upload' }, ...more })))
    expect(sentencesAbout(await upload({ options: { sendEmail: false } }), 'pipelines.spring.options')).toEqual([
      'cannot be sent with batch.mode upload, for which the service documents no flags; remove options, or use mode json',
    ])
  })

  test('refuses an image column in batch mode json, which sends no images', async () => {
    const error = await refusalOf(readConfiguration(withPipeline({ batch: { imageColumn: 'Photo' } })))
    expect(sentencesAbout(error, 'pipelines.spring.batch.imageColumn')[0]).toContain('use mode upload')
  })

  test.each([{ course: uuid, courseNumber: 'WELD-1' }, { course: undefined }])(
    'requires exactly one way to name the course: %j is refused',
    async (more) => {
      const error = await refusalOf(readConfiguration(withPipeline(more)))
      expect(sentencesAbout(error, 'pipelines.spring.course')).toEqual([
        'give either course (a uuid) or courseNumber, and not both',
      ])
    },
  )

  test.each(['', 'just a text', '- a list'])('refuses a file without settings: %j', async (text) => {
    expect(sentencesAbout(await refusalOf(readConfiguration(text)), 'the file')).toEqual(['is not a group of settings'])
  })

  test('reports where the YAML syntax is invalid, without quoting the file', async () => {
    const error = await refusalOf(readConfiguration('service:\n  environment: planted-text\n bad\n'))
    expect(error.message).toMatch(/given\.yaml: is not valid YAML \([A-Z_]+ at line \d\)/)
    expect(error.message).not.toContain('planted-text')
  })

  test('refuses a reference to nothing', async () => {
    const error = await refusalOf(readConfiguration('service: *planted\n'))
    expect(error.message).toMatch(/given\.yaml: is not valid YAML \(unreadable\)$/)
  })

  test('explains an indentation by tabs, and no other fault of the syntax', async () => {
    const [tabs, other] = await Promise.all(
      ['service:\n\tenvironment: development\n', 'service: {}\nservice: {}\n'].map((text) =>
        refusalOf(readConfiguration(text)),
      ),
    )
    expect(tabs?.message).toMatch(/TAB_AS_INDENT at line \d\); indent with spaces, not with tabs$/)
    expect(other?.message).toMatch(/DUPLICATE_KEY at line \d\)$/)
  })

  test('tells how many faults there are, one on each line', async () => {
    const one = await refusalOf(readConfiguration({ ...goodFile, log: { level: 'loud' } }))
    expect(one.message).toMatch(/^The configuration has a fault:\n {2}- log\.level: [^\n]+$/)
    expect(one.name).toBe('SettingsError')
    const two = await refusalOf(readConfiguration({ ...goodFile, log: { level: 'loud' }, web: { port: 'x' } }))
    expect(two.message).toMatch(/^The configuration has 2 faults:\n {2}- [^\n]+\n {2}- [^\n]+$/)
  })

  test('refuses a source that does not exist', async () => {
    const source = { system: 'campus', course: '1' }
    expect((await refusalOf(readConfiguration(withPipeline({ source })))).faults).toEqual([
      { where: 'pipelines.spring.source.system', sentence: expect.stringContaining('names "campus"') },
    ])
  })

  test.each(['nightly', '0 0 31 2 *'])('refuses the watch at %s', async (watchAt) => {
    const error = await refusalOf(readConfiguration({ ...goodFile, reconcile: { watchAt } }))
    expect(sentencesAbout(error, 'reconcile.watchAt')[0]).toContain('is neither a duration')
  })

  test('says what to do if the file is missing', async () => {
    const reading = readSettings({ env: goodEnv, cwd: await testFolder() })
    expect((await refusalOf(reading)).message).toMatch(
      /config\/credsync\.yaml: cannot be read\. Copy .*example.* --config/,
    )
  })
})

describe('a duration', () => {
  const readEvery = (text: string) => parseFileSettings({ ...goodFile, reconcile: { every: text } }).reconcile.every
  test.each([
    ['250ms', 250],
    ['15s', 15_000],
    ['10m', 600_000],
    ['6h', 21_600_000],
    ['30d', 2_592_000_000],
  ])('%s is accepted', (text, ms) => {
    expect(readEvery(text)).toBe(text)
    expect(parseDuration(text)).toBe(ms)
  })
  test.each(['15', '1.5h', '15 s', '-1s', '1h30m', 's', '1w', ''])('%j is refused', (text) => {
    expect(() => readEvery(text)).toThrow('reconcile.every: is not a duration')
    expect(parseDuration(text)).toBeNull()
    expect(() => durationMs(text)).toThrow(`${text}: is not a duration`)
  })
})
