// The settings about certificates as files.

import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { about, goodEnv, goodFile, goodPipeline, readWritten, refusalOf, testFolder } from './written.ts'

const withArchive = (archive: object, more: object = {}) => ({
  ...goodFile,
  pipelines: { spring: { ...goodPipeline, archive, ...more } },
})
const env = { ...goodEnv, CREDSYNC_DATA_DIR: './data' }

describe('an archive', () => {
  test('has a path from the working directory, and two pipelines may share it', async () => {
    const folder = await testFolder()
    const file = withArchive({ to: 'kept' })
    const both = { ...file, pipelines: { ...file.pipelines, autumn: file.pipelines.spring } }
    const { pipelines } = (await readWritten(both, env, folder)).file
    expect([pipelines.spring?.archive, pipelines.autumn?.archive]).toEqual(Array(2).fill({ to: join(folder, 'kept') }))
  })

  test.each([
    ['./data', 'is the data directory'],
    ['data/postgres/certificates', 'lies in the postgres'],
    ['inbox', 'lies in the inbox of pipeline spring'],
    ['inbox/done', 'lies in the inbox of pipeline spring'],
  ])('in %s is refused', async (to, words) => {
    const error = await refusalOf(readWritten(withArchive({ to }, { source: { inbox: 'inbox' } }), env))
    expect(about(error, 'pipelines.spring.archive.to')[0]).toContain(words)
    expect(error.faults).toHaveLength(1)
  })

  test.each([[{}], [{ to: '' }], [{ to: 'kept', every: '1m' }]])('%j is refused', async (archive) => {
    expect((await refusalOf(readWritten(withArchive(archive), env))).faults).toHaveLength(1)
  })
})

test('hosts of certificates are names with or without a port, and no addresses', async () => {
  const withHosts = (certificateHosts: string[]) => ({
    ...goodFile,
    service: { ...goodFile.service, certificateHosts },
  })
  const hosts = ['files.example', 'Files.example:8443', 'localhost']
  expect((await readWritten(withHosts(hosts))).file.service.certificateHosts).toEqual(hosts)
  for (const host of ['https://files.example', 'files.example/path', '*.example', 'ada@files.example', ''])
    expect((await refusalOf(readWritten(withHosts([host])))).faults).toHaveLength(1)
})
