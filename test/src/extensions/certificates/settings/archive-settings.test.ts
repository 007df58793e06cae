// The settings for archiving certificates.

import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import {
  goodEnv,
  goodFile,
  goodPipeline,
  readConfiguration,
  refusalOf,
  sentencesAbout,
  testFolder,
} from '#test/config/configuration-files.ts'

const withArchive = (archive: object, more: object = {}) => ({
  ...goodFile,
  pipelines: { spring: { ...goodPipeline, archive, ...more } },
})
const env = { ...goodEnv, CREDSYNC_DATA_DIR: './data' }

describe('an archive', () => {
  test('has a path relative to the working directory, and two pipelines may share it', async () => {
    const folder = await testFolder()
    const file = withArchive({ to: 'kept' })
    const both = { ...file, pipelines: { ...file.pipelines, autumn: file.pipelines.spring } }
    const { pipelines } = (await readConfiguration(both, env, folder)).file
    expect([pipelines.spring?.archive, pipelines.autumn?.archive]).toEqual(Array(2).fill({ to: join(folder, 'kept') }))
  })

  test('may be in another folder of the data directory', async () => {
    const folder = await testFolder()
    const { file } = await readConfiguration(withArchive({ to: 'data/kept' }), env, folder)
    expect(file.pipelines.spring?.archive).toEqual({ to: join(folder, 'data/kept') })
  })

  test.each([
    ['./data', 'is the data directory'],
    ['data/postgres/certificates', 'is inside the postgres folder'],
    ['inbox', 'is inside the inbox of pipeline spring'],
    ['inbox/done', 'is inside the inbox of pipeline spring'],
  ])('in the folder %s is refused', async (to, words) => {
    const error = await refusalOf(readConfiguration(withArchive({ to }, { source: { inbox: 'inbox' } }), env))
    expect(sentencesAbout(error, 'pipelines.spring.archive.to')[0]).toContain(words)
    expect(error.faults).toHaveLength(1)
  })

  test.each([
    [{}, 'pipelines.spring.archive.to'],
    [{ to: '' }, 'pipelines.spring.archive.to'],
    [{ to: 'kept', every: '1m' }, 'pipelines.spring.archive.every'],
  ])('with the settings %j is refused at the setting %s', async (archive, setting) => {
    const { faults } = await refusalOf(readConfiguration(withArchive(archive), env))
    expect(faults.map(({ where }) => where)).toEqual([setting])
  })
})
