// The settings of an inbox.

import { mkdir, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { about, goodEnv, goodFile, goodPipeline, readWritten, refusalOf, testFolder } from './written.ts'

const withInboxes = (sources: Record<string, object>) => ({
  ...goodFile,
  pipelines: Object.fromEntries(Object.entries(sources).map(([name, source]) => [name, { ...goodPipeline, source }])),
})
const env = { ...goodEnv, CREDSYNC_DATA_DIR: './data' }

describe('an inbox', () => {
  test('has its defaults, and a path from the working directory', async () => {
    const folder = await testFolder()
    const settings = await readWritten(withInboxes({ spring: { inbox: './inbox/spring' } }), env, folder)
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
    ['schedule', '0 0 31 2 *', 'that comes at some time'],
    ['timeZone', 'Europe/Berln', 'is not a time zone'],
    ['pattern', 'sub/*.csv', 'sub-folders are not looked at'],
    ['settle', 'soon', 'is not a duration'],
    ['marker', '../x', 'is not the end of a name'],
  ])('with the %s %j is refused', async (key, value, words) => {
    const error = await refusalOf(readWritten(withInboxes({ spring: { inbox: 'in', [key]: value } }), env))
    expect(about(error, `pipelines.spring.source.${key}`)[0]).toContain(words)
    expect(error.faults).toHaveLength(1)
  })

  test('belongs to one pipeline, also by another name', async () => {
    const folder = await testFolder()
    await mkdir(join(folder, 'in'))
    await symlink(join(folder, 'in'), join(folder, 'alias'))
    const file = withInboxes({ spring: { inbox: './in' }, autumn: { inbox: 'in/' }, winter: { inbox: 'alias' } })
    const error = await refusalOf(readWritten(file, env, folder))
    for (const name of ['autumn', 'winter'])
      expect(about(error, `pipelines.${name}.source.inbox`)[0]).toContain('is the inbox of pipeline spring as well')
  })

  test.each([
    ['./data', 'is the data directory'],
    ['data/outbox', 'lies in the outbox'],
    ['./data/outbox/spring', 'lies in the outbox'],
    ['data/postgres', 'lies in the postgres'],
  ])('%s is refused', async (inbox, words) => {
    const error = await refusalOf(readWritten(withInboxes({ spring: { inbox } }), env))
    expect(about(error, 'pipelines.spring.source.inbox')[0]).toContain(words)
  })

  test('may lie in the data directory, and beside another, but not in the folders of another', async () => {
    await readWritten(withInboxes({ spring: { inbox: 'data/inbox/spring' }, autumn: { inbox: 'data/inbox' } }), env)
    const error = await refusalOf(
      readWritten(withInboxes({ spring: { inbox: 'in' }, autumn: { inbox: 'in/done' } }), env),
    )
    expect(about(error, 'pipelines.autumn.source.inbox')[0]).toContain('lie in each other')
  })
})
