// The configuration file: what is taken, what is refused, and how it is said.

import { describe, expect, test } from 'vitest'
import { parseFileSettings, readSettings } from '#config/settings.ts'
import { parseDuration } from '#src/time/duration.ts'
import { about, goodEnv, goodFile, goodPipeline, readWritten, refusalOf, testFolder, uuid } from './written.ts'

const withPipeline = (more: object) => ({ ...goodFile, pipelines: { spring: { ...goodPipeline, ...more } } })

describe('a configuration', () => {
  test('comes with its defaults filled in and cannot be changed at any depth', async () => {
    const settings = await readWritten(goodFile)
    expect(settings.file).toMatchObject({
      service: { limits: { general: 60, auth: 3 } },
      reconcile: { every: '15s', slowest: '15m', grace: '6h' },
      web: { host: '127.0.0.1', port: 8080 },
      log: { level: 'info' },
      pipelines: { spring: { batch: { size: 100, mode: 'json' }, columns: {}, identity: [] } },
    })
    const reach = [settings, settings.file, settings.file.pipelines.spring, settings.file.pipelines.spring?.batch]
    expect(reach.map((each) => Object.isFrozen(each))).toEqual([true, true, true, true])
    expect(() => Object.assign(settings.file.service, { environment: 'production' })).toThrow(TypeError)
  })

  test('takes paths from the working directory, and the address without its slash', async () => {
    const folder = await testFolder()
    const env = { ...goodEnv, CREDSYNC_BASE_URL: 'https://service.example/prefix//', CREDSYNC_DATA_DIR: 'somewhere' }
    const settings = await readWritten(goodFile, env, folder)
    expect(settings.baseUrl).toBe('https://service.example/prefix')
    expect(settings.dataDir).toBe(`${folder}/somewhere`)
    expect(settings.configPath).toBe(`${folder}/given.yaml`)
  })

  test('lets CREDSYNC_LOG_LEVEL win over the file', async () => {
    const settings = await readWritten(
      { ...goodFile, log: { level: 'error' } },
      { ...goodEnv, CREDSYNC_LOG_LEVEL: 'debug' },
    )
    expect(settings.file.log.level).toBe('debug')
  })

  test('names every fault of file and environment at once', async () => {
    const error = await refusalOf(
      readWritten(
        {
          service: { environment: 'test', limits: { general: 61, auth: 0 } },
          pipelines: {
            'Bad Name': goodPipeline,
            // Both kinds of fault in one pipeline: a wrong value must not hide what only the whole pipeline shows.
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

  test('says what is wrong in words that help, not in those of a library', async () => {
    const error = await refusalOf(
      readWritten({
        service: { environment: 'test' },
        pipelines: { 'Bad Name': goodPipeline, spring: { course: 'x', template: uuid, columns: { Email: 3 } } },
      }),
    )
    expect(about(error, 'service.environment')).toEqual(['is not one of development, production'])
    expect(about(error, 'pipelines.Bad Name')[0]).toContain('use small letters, digits and hyphens')
    expect(about(error, 'pipelines.spring.course')[0]).toContain('is not a uuid, such as')
    expect(about(error, 'pipelines.spring.badgeTemplate')).toEqual([
      expect.stringMatching(/^is missing; it is a uuid, such as /),
    ])
    expect(about(error, 'pipelines.spring.columns.Email')[0]).toContain('is not the name of a column')
    expect(error.message).not.toMatch(/Invalid|expected|received/)
  })

  test('takes a brake of rows, of percent or of both, and refuses one that holds nothing', async () => {
    for (const brake of [{ rows: 500 }, { percent: 50 }, { rows: 0, percent: 0 }]) {
      const settings = await readWritten(withPipeline({ brake }))
      expect(settings.file.pipelines.spring?.brake).toEqual(brake)
    }
    expect((await readWritten(goodFile)).file.pipelines.spring?.brake).toBeUndefined()
    const empty = await refusalOf(readWritten(withPipeline({ brake: {} })))
    expect(about(empty, 'pipelines.spring.brake')).toEqual(['holds nothing; give rows, percent or both'])
    const odd = await refusalOf(readWritten(withPipeline({ brake: { rows: -1, percent: '50 %', per: 3 } })))
    expect(odd.faults.map((fault) => fault.where).sort()).toEqual(
      ['brake.per', 'brake.percent', 'brake.rows'].map((name) => `pipelines.spring.${name}`),
    )
  })

  test('refuses a setting it does not know, each by its place', async () => {
    const error = await refusalOf(readWritten({ ...withPipeline({ templte: uuid, sponsor: [] }), recncile: {} }))
    expect(error.faults.map((fault) => fault.where).sort()).toEqual([
      'pipelines.spring.sponsor',
      'pipelines.spring.templte',
      'recncile',
    ])
    expect(about(error, 'recncile')[0]).toContain('is not a setting; did you mean reconcile?')
    const near = await refusalOf(
      readWritten(withPipeline({ badge_template: uuid, batch: { modes: 'json' }, shoes: 1 })),
    )
    expect(about(near, 'pipelines.spring.badge_template')[0]).toContain('did you mean badgeTemplate?')
    expect(about(near, 'pipelines.spring.batch.modes')[0]).toContain('did you mean mode?')
    expect(about(near, 'pipelines.spring.shoes')[0]).toContain('check the spelling')
  })

  test('refuses retentionDays with a sentence, since it comes with a later version', async () => {
    const error = await refusalOf(readWritten(withPipeline({ retentionDays: { any: 'thing' } })))
    expect(error.faults).toHaveLength(1)
    expect(about(error, 'pipelines.spring.retentionDays')[0]).toContain('comes with a later version')
  })

  test('takes batch mode upload with and without an image column', async () => {
    const batchOf = async (batch: object) => (await readWritten(withPipeline({ batch }))).file.pipelines.spring?.batch
    expect(await batchOf({ mode: 'upload' })).toEqual({ size: 100, mode: 'upload' })
    expect(await batchOf({ mode: 'upload', imageColumn: 'Photo' })).toMatchObject({ imageColumn: 'Photo' })
  })

  test('refuses options with batch mode upload, even one that is false, so that none is dropped in silence', async () => {
    const upload = (more: object) => refusalOf(readWritten(withPipeline({ batch: { mode: 'upload' }, ...more })))
    expect(about(await upload({ options: { sendEmail: false } }), 'pipelines.spring.options')).toEqual([
      'cannot travel with batch.mode upload, for which the service documents no flags; remove options, or use mode json',
    ])
  })

  test('refuses an image column that nothing would send', async () => {
    const error = await refusalOf(readWritten(withPipeline({ batch: { imageColumn: 'Photo' } })))
    expect(about(error, 'pipelines.spring.batch.imageColumn')[0]).toContain('use mode upload')
  })

  test.each([{ course: uuid, courseNumber: 'WELD-1' }, { course: undefined }])(
    'wants the course once: %j is refused',
    async (more) => {
      const error = await refusalOf(readWritten(withPipeline(more)))
      expect(about(error, 'pipelines.spring.course')).toEqual([
        'give either course (a uuid) or courseNumber, and not both',
      ])
    },
  )

  test.each(['', 'just a text', '- a list'])('refuses a file that holds no settings: %j', async (text) => {
    expect(about(await refusalOf(readWritten(text)), 'the file')).toEqual(['is not a group of settings'])
  })

  test('says where a file stops being YAML, and quotes nothing of it', async () => {
    const error = await refusalOf(readWritten('service:\n  environment: planted-text\n bad\n'))
    expect(error.message).toMatch(/given\.yaml: is not valid YAML \([A-Z_]+ at line \d\)/)
    expect(error.message).not.toContain('planted-text')
  })

  test('refuses a key that stands twice', async () => {
    const error = await refusalOf(readWritten('service: {}\nservice: {}\n'))
    expect(error.message).toContain('DUPLICATE_KEY')
  })

  test('says what to do when the file is not there', async () => {
    const reading = readSettings({ env: goodEnv, cwd: await testFolder() })
    expect((await refusalOf(reading)).message).toMatch(
      /config\/credsync\.yaml: cannot be read\. Copy .*example.* --config/,
    )
  })
})

describe('a duration', () => {
  const every = (text: string) => parseFileSettings({ ...goodFile, reconcile: { every: text } }).reconcile.every
  test.each(['250ms', '15s', '10m', '6h', '30d'])('%s is taken', (text) => {
    expect(every(text)).toBe(text)
    expect(parseDuration(text)).not.toBeNull()
  })
  test.each(['15', '1.5h', '15 s', '-1s', '1h30m', 's', '1w', ''])('%j is refused', (text) => {
    expect(() => every(text)).toThrow('reconcile.every: is not a duration')
    expect(parseDuration(text)).toBeNull()
  })
})
