// The settings of an inbox: which values and folders are accepted, and which are refused.

import { mkdir, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { isWithin } from '#config/inbox-folders.ts'
import {
  goodEnv,
  goodFile,
  goodPipeline,
  readConfiguration,
  refusalOf,
  sentencesAbout,
  testFolder,
} from './configuration-files.ts'

const withInboxes = (sources: Record<string, object>) => ({
  ...goodFile,
  pipelines: Object.fromEntries(Object.entries(sources).map(([name, source]) => [name, { ...goodPipeline, source }])),
})
const env = { ...goodEnv, CREDSYNC_DATA_DIR: './data' }

describe('an inbox', () => {
  test('has its defaults, and a path relative to the working directory', async () => {
    const folder = await testFolder()
    const settings = await readConfiguration(withInboxes({ spring: { inbox: './inbox/spring' } }), env, folder)
    expect(settings.file.pipelines.spring?.source).toEqual({
      inbox: join(folder, 'inbox/spring'),
      pattern: '*.{csv,xlsx,zip}',
      schedule: '1m',
      timeZone: 'UTC',
      settle: '10s',
    })
  })

  test.each([
    ['schedule', '0 2 * *', 'is neither a duration'],
    ['schedule', '0 0 31 2 *', 'with a possible time'],
    ['timeZone', 'Europe/Berln', 'is not a time zone'],
    ['pattern', 'sub/*.csv', 'sub-folders are not scanned'],
    ['pattern', 'sub\\*.csv', 'sub-folders are not scanned'],
    ['settle', 'soon', 'is not a duration'],
    ['marker', '../x', 'is not the end of a name'],
  ])('with the %s %j is refused', async (key, value, words) => {
    const error = await refusalOf(readConfiguration(withInboxes({ spring: { inbox: 'in', [key]: value } }), env))
    expect(sentencesAbout(error, `pipelines.spring.source.${key}`)[0]).toContain(words)
    expect(error.faults).toHaveLength(1)
  })

  test.each(['processing', 'done', 'refused'])('may not have the data directory in its folder %s', async (name) => {
    const within = { ...goodEnv, CREDSYNC_DATA_DIR: `in/${name}/data` }
    const error = await refusalOf(readConfiguration(withInboxes({ spring: { inbox: 'in' } }), within))
    expect(sentencesAbout(error, 'pipelines.spring.source.inbox')).toEqual([
      `contains the data directory in its ${name} folder; use another folder`,
    ])
  })

  test('is a group of settings', async () => {
    const pipelines = { spring: { ...goodPipeline, source: 'in' } }
    const error = await refusalOf(readConfiguration({ ...goodFile, pipelines }, env))
    expect(sentencesAbout(error, 'pipelines.spring.source')[0]).toContain('is neither an inbox')
  })

  test('may belong to only one pipeline, even if the folder has several names', async () => {
    const folder = await testFolder()
    await mkdir(join(folder, 'in'))
    await symlink(join(folder, 'in'), join(folder, 'alias'))
    const file = withInboxes({ spring: { inbox: './in' }, autumn: { inbox: 'in/' }, winter: { inbox: 'alias' } })
    const error = await refusalOf(readConfiguration(file, env, folder))
    for (const name of ['autumn', 'winter'])
      expect(sentencesAbout(error, `pipelines.${name}.source.inbox`)[0]).toContain(
        'is the inbox of pipeline spring as well',
      )
  })

  test.each([
    ['./data', 'is the data directory'],
    ['data/outbox', 'is inside the outbox folder'],
    ['./data/outbox/spring', 'is inside the outbox folder'],
    ['data/postgres', 'is inside the postgres folder'],
  ])('in the folder %s is refused', async (inbox, words) => {
    const error = await refusalOf(readConfiguration(withInboxes({ spring: { inbox } }), env))
    expect(sentencesAbout(error, 'pipelines.spring.source.inbox')[0]).toContain(words)
  })

  test('may be in a folder of the data directory or contain another inbox, but not in the sub-folders of another', async () => {
    await readConfiguration(
      withInboxes({ spring: { inbox: 'data/inbox/spring' }, autumn: { inbox: 'data/inbox' } }),
      env,
    )
    const error = await refusalOf(
      readConfiguration(withInboxes({ spring: { inbox: 'in' }, autumn: { inbox: 'in/done' } }), env),
    )
    expect(sentencesAbout(error, 'pipelines.autumn.source.inbox')[0]).toContain(
      'overlaps with the inbox of pipeline spring',
    )
  })
})

test.each([
  ['/a/b', '/a/b', true],
  ['/a/b/c', '/a/b', true],
  ['/a/b/..c', '/a/b', true],
  ['/a', '/a/b', false],
  ['/a/c', '/a/b', false],
  ['/', '/a/b', false],
])('whether %s is within %s: %s', (path, folder, expected) => {
  expect(isWithin(path, folder)).toBe(expected)
})
