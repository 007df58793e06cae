// The sabotages of test/guarantees/teeth fit the sources and the tests as they are. One whose test
// was renamed would run no test at all.

import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { sabotages } from '#test/guarantees/teeth/sabotage.ts'

const root = resolve(import.meta.dirname, '../..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')

test('each sabotage replaces a text that its file contains once', () => {
  const outdated = sabotages.filter(({ file, find }) => read(file).split(find).length !== 2)
  expect(outdated.map(({ name, file }) => `${name}: ${file}`)).toEqual([])
})

test('each sabotage names a title of its test, or of the cases beside it', () => {
  const textsBeside = (path: string) =>
    readdirSync(join(root, dirname(path)))
      .filter((name) => name.endsWith('.ts'))
      .map((name) => read(join(dirname(path), name)))
  const unknown = sabotages.filter(
    ({ caughtBy }) =>
      'tests' in caughtBy &&
      !read(caughtBy.tests).includes(caughtBy.title) &&
      !textsBeside(caughtBy.tests).some((text) => text.includes(caughtBy.title)),
  )
  expect(unknown.map(({ name }) => name)).toEqual([])
})

test('no two sabotages have the same name', () => {
  const names = sabotages.map(({ name }) => name)
  expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([])
})
