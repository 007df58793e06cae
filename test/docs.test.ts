// Documents that no test guards go stale: headings, paths and commands named in them must exist.

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'

const root = resolve(import.meta.dirname, '..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const pages = [
  'README.md',
  'CHANGELOG.md',
  'jobs/README.md',
  'config/settings.md',
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' }).map((name) => `docs/${name}`),
].filter((path) => path.endsWith('.md') && existsSync(join(root, path)))

describe('the documents', () => {
  test('tell the journey of a row in the headings of the test that walks it', () => {
    const headings = [...read('docs/a-row.md').matchAll(/^## (.+)$/gm)].map((match) => match[1])
    const titles = [...read('test/journey.test.ts').matchAll(/^ {2}test\((['"])(.+?)\1, /gm)].map((match) => match[2])
    expect(titles.length).toBeGreaterThan(5)
    expect(headings).toEqual(titles)
  })

  test.each(pages)('%s links only to files that exist', (page) => {
    const links = [...read(page).matchAll(/\]\((?!https?:|#|mailto:)([^)#\s]+)/g)].map((match) => match[1] ?? '')
    expect(links.filter((link) => !existsSync(resolve(root, dirname(page), link)))).toEqual([])
  })

  test.each(pages)('%s names only paths of the house that exist', (page) => {
    const named = [
      ...read(page).matchAll(/`((?:src|jobs|test|docs|config|bench)\/[\w./-]+\.(?:ts|mjs|md|sql|yaml|json))`/g),
    ].map((match) => match[1] ?? '')
    const local = ['config/credsync.yaml']
    expect(named.filter((path) => !existsSync(join(root, path)) && !local.includes(path))).toEqual([])
  })

  test.each(pages)('%s shows only commands that there are', (page) => {
    const commands = [...read('src/cli/command-line.ts').matchAll(/\bcommand\(\s*'([a-z-]+)'/g)].map(
      (match) => match[1],
    )
    expect(commands.length).toBeGreaterThan(5)
    const shown = [...read(page).matchAll(/(?:^ {4,}|[`$] ?|-- )(?:credsync|run -s credsync --) ([a-z-]+)/gm)].map(
      (match) => match[1],
    )
    expect(shown.filter((name) => !commands.includes(name))).toEqual([])
  })
})
