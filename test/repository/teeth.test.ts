// The sabotages of test/guarantees/teeth fit the sources and the tests as they are. Only some of them run with each
// change, and one whose test was renamed would run no test at all.

import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { sabotages } from '#test/guarantees/teeth/sabotage.ts'
import { storySabotages } from '#test/guarantees/teeth/story-sabotages.ts'

const root = resolve(import.meta.dirname, '../..')
const all = [...sabotages, ...storySabotages]
const read = (path: string) => readFileSync(join(root, path), 'utf8')

test('each sabotage replaces a text that its file contains once', () => {
  const outdated = all.filter(({ file, find }) => read(file).split(find).length !== 2)
  expect(outdated.map(({ name, file }) => `${name}: ${file}`)).toEqual([])
})

test('each sabotage names a title of its test, or of the cases beside it', () => {
  const textsBeside = (path: string) =>
    readdirSync(join(root, dirname(path)))
      .filter((name) => name.endsWith('.ts'))
      .map((name) => read(join(dirname(path), name)))
  const unknown = all.filter(
    ({ caughtBy }) =>
      'tests' in caughtBy &&
      !read(caughtBy.tests).includes(caughtBy.title) &&
      !textsBeside(caughtBy.tests).some((text) => text.includes(caughtBy.title)),
  )
  expect(unknown.map(({ name }) => name)).toEqual([])
})

test('no two sabotages have the same name', () => {
  const names = all.map(({ name }) => name)
  expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([])
})

test('the page of the guarantees names their number', () => {
  const line = /^\| `test\/guarantees\/teeth` .*$/m.exec(read('docs/guarantees.md'))?.[0]
  expect(line).toMatch(new RegExp(`: ${sabotages.length} with .*, and ${storySabotages.length} with `))
  expect(line).toMatch(new RegExp(`of the ${storySabotages.length}, in turns by date \\| ${all.length} \\|`))
})
