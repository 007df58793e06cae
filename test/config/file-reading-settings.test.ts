// The settings for reading a pipeline's files: which values are accepted, and which are refused.

import { describe, expect, test } from 'vitest'
import { goodFile, goodPipeline, readConfiguration, refusalOf, sentencesAbout } from './configuration-files.ts'

const withFile = (file: object) => ({ ...goodFile, pipelines: { spring: { ...goodPipeline, file } } })

describe('the settings for the files of a pipeline', () => {
  test('may be omitted', async () => {
    expect((await readConfiguration(goodFile)).file.pipelines.spring?.file).toEqual({})
  })

  test.each([
    [{ encoding: 'windows-1250' }, { encoding: 'windows-1250' }],
    [{ delimiter: 'tab' }, { delimiter: '\t' }],
    [{ delimiter: '~' }, { delimiter: '~' }],
    [{ sheet: 'Liste 2' }, { sheet: 'Liste 2' }],
  ])('may be %j', async (file, expected) => {
    expect((await readConfiguration(withFile(file))).file.pipelines.spring?.file).toEqual(expected)
  })

  test.each([
    ['encoding', 'klingon', 'is not the name of an encoding'],
    ['encoding', 'x-user-defined', 'is not the name of an encoding'],
    ['delimiter', ';;', 'is not one character'],
    ['delimiter', '"', 'is not one character'],
    ['sheet', '', 'is empty'],
  ])('are refused with the %s %j', async (key, value, words) => {
    const error = await refusalOf(readConfiguration(withFile({ [key]: value })))
    expect(sentencesAbout(error, `pipelines.spring.file.${key}`)[0]).toContain(words)
    expect(error.faults).toHaveLength(1)
  })
})
