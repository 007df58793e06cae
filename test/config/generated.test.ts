// What is generated from the schema, and the example that people start from, agree with it.

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { environmentRows } from '#config/environment.ts'
import { referencePage, schemaFile } from '#config/reference-page.ts'
import { readSettings } from '#config/settings.ts'
import { goodEnv, goodFile, readWritten } from './written.ts'

const config = join(import.meta.dirname, '../../config')
const onDisk = (name: string) => readFile(join(config, name), 'utf8')

describe('the generated files', () => {
  test('are what `npm run docs` writes now', async () => {
    expect(await onDisk('credsync.schema.json')).toBe(schemaFile())
    expect(await onDisk('settings.md')).toBe(referencePage())
  })

  test('describe every setting, down to those of a pipeline', () => {
    const rows = referencePage()
      .split('\n')
      .filter((line) => line.startsWith('| `'))
    // The last cell holds the words; one without words would end in spaces.
    expect(rows.filter((row) => / \| +\|$/.test(row))).toEqual([])
    const some = ['service.limits.auth', 'pipelines.<name>.batch.size', 'reconcile.grace', 'web.port']
    const ofLists = ['pipelines.<name>.writeBack(moodle-profile).fields', 'pipelines.<name>.writeBack(webhook).secret']
    for (const name of [...some, ...ofLists]) expect(rows.some((row) => row.startsWith(`| \`${name}\` `))).toBe(true)
    expect(rows.length).toBeGreaterThan(45)
    // Numbers without a limit have one in the schema all the same.
    expect(rows.filter((row) => /undefined|9007199254740991/.test(row))).toEqual([])
  })

  test('show editors the settings of later versions as wrong, durations by their pattern, and what must be there', () => {
    const { properties, required } = JSON.parse(schemaFile())
    expect(required).toEqual(['service', 'pipelines'])
    const pipeline = properties.pipelines.additionalProperties
    expect(pipeline.properties.retentionDays.not).toEqual({})
    expect('15s').toMatch(new RegExp(properties.reconcile.properties.grace.pattern))
    expect('15 seconds').not.toMatch(new RegExp(properties.reconcile.properties.grace.pattern))
    expect(pipeline.additionalProperties).toBe(false)
  })

  test('name every variable that the environment is read for', async () => {
    const read = (await onDisk('environment.ts')).matchAll(/'((?:CREDSYNC|DATABASE|REDIS)_[A-Z_]+)'|env\.([A-Z_]+)/g)
    const names = new Set([...read].map((match) => match[1] ?? match[2]))
    const told = environmentRows.map(([name]) => /[A-Z_]+/.exec(name ?? '')?.[0])
    expect(new Set(told)).toEqual(names)
  })
})

describe('the example file', () => {
  test('is a configuration that works as it stands', async () => {
    const settings = await readSettings({ env: goodEnv, cwd: config, configPath: 'credsync.example.yaml' })
    expect(Object.keys(settings.file.pipelines)).toEqual(['spring-cohort'])
    expect(settings.file.service.environment).toBe('development')
  })

  test('works with every line that is commented out put in', async () => {
    const text = await onDisk('credsync.example.yaml')
    const open = text.replace(/^( +)# ( *(?:- |[a-zA-Z]+: ?(?:\[|0{8}|[a-z_]+$|$)))/gm, '$1$2')
    expect(open).not.toBe(text)
    const { file } = await readWritten(open)
    expect(file.pipelines['spring-cohort']).toMatchObject({
      occurrence: ['Program End Date'],
      correlation: 'reg_no',
      signatures: [expect.any(String), { required: false }],
      sponsors: [expect.any(String)],
      mailTemplate: expect.any(String),
    })
  })

  test('tells editors where its schema is, in its first line', async () => {
    const [first] = (await onDisk('credsync.example.yaml')).split('\n')
    expect(first).toBe('# yaml-language-server: $schema=./credsync.schema.json')
  })

  test('says nothing that the schema has as a default differently', async () => {
    const { file } = await readSettings({ env: goodEnv, cwd: config, configPath: 'credsync.example.yaml' })
    const bare = await readWritten(goodFile)
    for (const part of ['reconcile', 'web', 'log', 'invitations', 'service'] as const)
      expect(file[part]).toEqual(bare.file[part])
  })
})
