// How a pipeline's files are written: what may be said about it, and what is refused before there is a file.

import { describe, expect, test } from 'vitest'
import { about, goodFile, goodPipeline, readWritten, refusalOf } from './written.ts'

const withFile = (file: object) => ({ ...goodFile, pipelines: { spring: { ...goodPipeline, file } } })

describe('the file of a pipeline', () => {
  test('need not be described', async () => {
    expect((await readWritten(goodFile)).file.pipelines.spring?.file).toEqual({})
  })

  test.each([
    [{ encoding: 'windows-1250' }, { encoding: 'windows-1250' }],
    [{ encoding: 'UTF-16' }, { encoding: 'UTF-16' }],
    [{ delimiter: 'tab' }, { delimiter: '\t' }],
    [{ delimiter: 'semicolon' }, { delimiter: ';' }],
    [{ delimiter: '~' }, { delimiter: '~' }],
    [{ sheet: 'Liste 2' }, { sheet: 'Liste 2' }],
  ])('may be %j', async (file, read) => {
    expect((await readWritten(withFile(file))).file.pipelines.spring?.file).toEqual(read)
  })

  test.each([
    ['encoding', 'klingon', 'is not the name of an encoding'],
    ['encoding', 'cp850', 'is not the name of an encoding'],
    ['delimiter', ';;', 'is not one character'],
    ['delimiter', '"', 'is not one character'],
    ['sheet', '', 'is empty'],
  ])('with the %s %j is refused', async (key, value, words) => {
    const error = await refusalOf(readWritten(withFile({ [key]: value })))
    expect(about(error, `pipelines.spring.file.${key}`)[0]).toContain(words)
    expect(error.faults).toHaveLength(1)
  })
})
