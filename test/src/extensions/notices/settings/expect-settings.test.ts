// What is expected of a pipeline: what is refused, with which remedy.

import { describe, expect, test } from 'vitest'
import { goodFile, goodPipeline, readConfiguration, refusalOf } from '#test/config/configuration-files.ts'

const faultsOf = async (file: object) =>
  (await refusalOf(readConfiguration(file))).faults.map(({ where, sentence }) => `${where} ${sentence}`)

describe('expect', () => {
  const withExpect = (expected: object) => ({
    ...goodFile,
    pipelines: { spring: { ...goodPipeline, expect: expected } },
  })

  test('is a time of day, or a longest time without a list', async () => {
    const byTime = await readConfiguration(withExpect({ by: '06:00', days: 'mon-fri', timeZone: 'Europe/Berlin' }))
    expect(byTime.file.pipelines.spring?.expect).toEqual({
      ...{ by: '06:00', days: 'mon-fri', timeZone: 'Europe/Berlin', minRows: 0 },
    })
    const within = await readConfiguration(withExpect({ within: '7d' }))
    expect(within.file.pipelines.spring?.expect).toEqual({ within: '7d' })
  })

  test.each([
    [{ by: '6:00' }, /is not a time of day; write it in quotes, like '06:00'/],
    // Without quotes, some versions of YAML read 12:30 as a number.
    [{ by: 750 }, /by is not text; put a number in quotes/],
    [{ by: '06:00', days: 'monday' }, /days is not a list of days; write it like mon-fri/],
    [{ by: '06:00', timeZone: 'Berlin' }, /timeZone is not a time zone that this machine knows/],
    [{ within: 'a week' }, /within is not a duration/],
    [{ within: '1ms' }, /within is out of bounds; write at least 1m and at most 3650d/],
    [{ within: '999999999d' }, /within is out of bounds/],
    [{}, /expect is neither \{ by: '06:00', … \} nor \{ within: 7d \}/],
    [{ by: '06:00', within: '7d' }, /within is not a setting|expect is neither/],
  ])('is refused with a remedy: %j', async (expected, sentence) => {
    expect((await faultsOf(withExpect(expected))).join('\n')).toMatch(sentence)
  })

  test('by a time of day is refused for completions of a learning system, which come at any time', async () => {
    const systems = { campus: { type: 'moodle', url: 'https://moodle.example.edu', token: 'a-token' } }
    const withSystem = (expected: object) => ({
      ...{ ...goodFile, systems },
      pipelines: { spring: { ...goodPipeline, source: { system: 'campus', course: 'FIRE-1' }, expect: expected } },
    })
    expect(await faultsOf(withSystem({ by: '06:00' }))).toEqual([
      expect.stringMatching(
        /^pipelines\.spring\.expect\.by is a deadline for lists.*write `expect: \{ within: 7d \}`$/,
      ),
    ])
    const { file } = await readConfiguration(withSystem({ within: '7d' }))
    expect(file.pipelines.spring?.expect).toEqual({ within: '7d' })
  })
})
