// The generated pages are those that `npm run docs` would write, and the example configuration matches the schema.

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { commandList } from '#build/commands-page.ts'
import { damageTable } from '#build/damage-table.ts'
import { referencePage, schemaFile } from '#build/settings-page.ts'
import { environmentRows } from '#config/environment-variables.ts'
import { readSettings } from '#config/settings.ts'
import type { Cli } from '#src/cli/cli-context.ts'
import { defineProgram } from '#src/cli/command-line.ts'
import { goodEnv, goodFile, readConfiguration } from '#test/config/configuration-files.ts'

const config = join(import.meta.dirname, '../../config')
const onDisk = (name: string) => readFile(join(config, name), 'utf8')

describe('the generated files', () => {
  test('equal the output of `npm run docs`', async () => {
    expect(await onDisk('credsync.schema.json')).toBe(schemaFile())
    expect(await onDisk('settings.md')).toBe(referencePage())
    expect(await onDisk('../docs/files.md')).toContain(damageTable())
    expect(await onDisk('../docs/commands.md')).toContain(commandList(defineProgram({} as Cli, () => {})))
  })

  test('describe every setting, including those of pipelines and of lists', () => {
    const rows = referencePage()
      .split('\n')
      .filter((line) => line.startsWith('| `'))
    // The last cell contains the description; a row without a description would end in spaces.
    expect(rows.filter((row) => / \| +\|$/.test(row))).toEqual([])
    const ofGroups = ['service.limits.auth', 'pipelines.<name>.batch.size', 'reconcile.grace', 'web.port']
    const ofLists = ['pipelines.<name>.writeBack(moodle-profile).fields', 'pipelines.<name>.writeBack(webhook).secret']
    for (const name of [...ofGroups, ...ofLists])
      expect(rows.some((row) => row.startsWith(`| \`${name}\` `))).toBe(true)
    expect(rows.length).toBeGreaterThan(45)
    // In the schema, numbers without a maximum have JavaScript's largest safe integer, which the page must not show.
    expect(rows.filter((row) => /undefined|9007199254740991/.test(row))).toEqual([])
  })

  test('have as many cells in each row of a table as in its head', () => {
    const tables = referencePage()
      .split('\n\n')
      .filter((part) => part.startsWith('| '))
    const cells = (row: string) => row.split('|').length - 2
    expect(tables.map((rows) => [...new Set(rows.trim().split('\n').map(cells))])).toEqual([[3], [4]])
  })

  test('let editors mark numbers out of range, invalid durations and missing members', () => {
    const { properties, required } = JSON.parse(schemaFile())
    expect(required).toEqual(['service', 'pipelines'])
    const pipeline = properties.pipelines.additionalProperties
    expect(pipeline.properties.retentionDays).toMatchObject({ type: 'integer', minimum: 1 })
    expect('15s').toMatch(new RegExp(properties.reconcile.properties.grace.pattern))
    expect('15 seconds').not.toMatch(new RegExp(properties.reconcile.properties.grace.pattern))
    expect(pipeline.additionalProperties).toBe(false)
  })

  test('name every variable that is read from the environment', async () => {
    const read = (await onDisk('environment-variables.ts')).matchAll(
      /'((?:CREDSYNC|DATABASE|REDIS)_[A-Z_]+)'|env\.([A-Z_]+)/g,
    )
    const names = new Set([...read].map((match) => match[1] ?? match[2]))
    const described = environmentRows.map(([name]) => /[A-Z_]+/.exec(name ?? '')?.[0])
    expect(new Set(described)).toEqual(names)
  })
})

describe('the example file', () => {
  test('is a valid configuration without changes', async () => {
    const settings = await readSettings({ env: goodEnv, cwd: config, configPath: 'credsync.example.yaml' })
    expect(Object.keys(settings.file.pipelines)).toEqual(['spring-cohort'])
    expect(settings.file.service.environment).toBe('development')
  })

  test('is valid if every commented-out setting is used', async () => {
    const text = await onDisk('credsync.example.yaml')
    const uncommented = text.replace(/^( +)# ( *(?:- |[a-zA-Z]+: ?(?:\[|0{8}|[a-z_]+$|$)))/gm, '$1$2')
    expect(uncommented).not.toBe(text)
    const { file } = await readConfiguration(uncommented)
    expect(file.pipelines['spring-cohort']).toMatchObject({
      occurrence: ['Program End Date'],
      correlation: 'reg_no',
      signatures: [expect.any(String), { required: false }],
      sponsors: [expect.any(String)],
      mailTemplate: expect.any(String),
    })
  })

  test('points editors to its schema in its first line', async () => {
    const [first] = (await onDisk('credsync.example.yaml')).split('\n')
    expect(first).toBe('# yaml-language-server: $schema=./credsync.schema.json')
  })

  test('shows the defaults of the schema', async () => {
    const { file } = await readSettings({ env: goodEnv, cwd: config, configPath: 'credsync.example.yaml' })
    const withDefaults = await readConfiguration(goodFile)
    for (const part of ['reconcile', 'web', 'log', 'invitations', 'service'] as const)
      expect(file[part]).toEqual(withDefaults.file[part])
  })
})
