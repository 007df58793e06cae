// credsync issue where nothing is to be issued: the dry run, and calls that cannot be used.

import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { describeWithDatabase } from '#test/support/database.ts'
import { issue, openPlace, people, peopleAndOneWrong, silentReport } from './place.ts'

describeWithDatabase('credsync issue --dry-run', () => {
  test('reports rows, calls and time, and changes nothing here or at the service', async () => {
    const place = await openPlace({ pipeline: { batch: { size: 2 } } })
    const twice = `${peopleAndOneWrong(5)}person.1@example.org,Ada,Lovelace\n`
    const ended = await place.run(issue(await place.write('people.csv', twice), '--dry-run', '--json'))
    expect(JSON.parse(ended.stdout)).toMatchObject({
      dryRun: true,
      pipeline: 'spring',
      source: 'people.csv',
      rows: 7,
      invalid: 1,
      duplicates: 1,
      known: 0,
      new: 5,
      calls: 3,
      atLeastMs: 50,
    })
    expect(ended.stderr).toContain('nothing was sent and nothing was kept')
    expect(ended.code).toBe(3)
    const { calls } = place.sandbox.journal()
    expect(Object.keys(calls).filter((call) => call.includes('upload'))).toEqual([])
    expect(JSON.parse((await place.run(['status', '--json'])).stdout)).toEqual({ runs: [] })
  })

  test('knows who was issued before', async () => {
    const place = await openPlace({ sandbox: silentReport })
    await place.run(issue(await place.write('first.csv', people(2))))
    const ended = await place.run(issue(await place.write('second.csv', people(3)), '--dry-run', '--json'))
    expect(JSON.parse(ended.stdout)).toMatchObject({ rows: 3, known: 2, new: 1, calls: 1 })
    expect(ended.code).toBe(0)
    expect(place.sandbox.requests()).toHaveLength(2)
  })

  test('ends with 2, not as a fault of ours, when the service knows no such course', async () => {
    const place = await openPlace({ pipeline: { course: '00000000-0000-4000-8000-000000000001' } })
    const ended = await place.run(issue(await place.write('people.csv', people(1)), '--dry-run'))
    expect(ended.stderr).toMatch(/The service refused .* check the uuid/)
    expect(ended.stderr).not.toMatch(/^\s+at /m)
    expect(ended.code).toBe(2)
  })
})

describeWithDatabase('credsync issue', () => {
  test('ends with 2 for what cannot be used: file, pipeline, duration, and a configuration with every fault', async () => {
    const place = await openPlace()
    const file = await place.write('people.csv', people(1))
    const [missing, folder, pipeline, duration] = await Promise.all([
      place.run(issue('nowhere.csv')),
      place.run(issue('.')),
      place.run(['issue', file, '--pipeline', 'sprnig', '--config', 'credsync.yaml']),
      place.run(issue(file, '--timeout', 'soon')),
    ])
    expect(missing.stderr).toContain('nowhere.csv cannot be read (ENOENT)')
    expect(folder.stderr).toContain('is not a file')
    expect(pipeline.stderr).toContain('no pipeline "sprnig". It has: spring.')
    expect(duration.stderr).toContain('--timeout soon is not a duration')
    expect([missing, folder, pipeline, duration].map((each) => each.code)).toEqual([2, 2, 2, 2])

    await writeFile(join(place.folder, 'credsync.yaml'), 'service: { environment: test }\npipelines: { A: {} }\n')
    const faulty = await place.run(issue(file, '--json'), { CREDSYNC_KEY: '', CREDSYNC_BASE_URL: 'http://a.example' })
    for (const where of ['CREDSYNC_KEY', 'CREDSYNC_BASE_URL', 'service.environment', 'pipelines.A'])
      expect(faulty.stderr).toContain(`  - ${where}: `)
    expect(JSON.parse(faulty.stdout).error).toMatchObject({ code: 2, name: 'SettingsError' })
    expect(faulty.code).toBe(2)
  })
})
