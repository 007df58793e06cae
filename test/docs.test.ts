// Documents that no test guards go stale: headings, paths and commands named in them must exist.

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { parseFileSettings } from '#config/settings.ts'
import { events } from '#src/log/events.ts'
import type { ColumnSpec } from '#src/recipients/column-plan.ts'
import { planColumns } from '#src/recipients/plan-columns.ts'
import { sandboxFields } from './support/sandbox-fields.ts'

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
      ...read(page).matchAll(
        /`((?:src|jobs|test|docs|config|bench|deploy)\/[\w./-]+\.(?:ts|mjs|md|sql|yaml|json|service))`/g,
      ),
    ].map((match) => match[1] ?? '')
    const local = ['config/credsync.yaml']
    expect(named.filter((path) => !existsSync(join(root, path)) && !local.includes(path))).toEqual([])
  })

  test.each(pages)('%s shows only commands that there are', (page) => {
    const offers = readdirSync(join(root, 'src/cli/offers')).map((name) => read(`src/cli/offers/${name}`))
    const commands = [...offers.join('\n').matchAll(/\bcommand\(\s*'([a-z-]+)'/g)].map((match) => match[1])
    expect(commands.length).toBeGreaterThan(5)
    const shown = [...read(page).matchAll(/(?:^ {4,}|[`$] ?|-- )(?:credsync|run -s credsync --) ([a-z-]+)/gm)].map(
      (match) => match[1],
    )
    expect(shown.filter((name) => !commands.includes(name))).toEqual([])
  })

  test('tell operators of every event of the log', () => {
    const rows = [...read('docs/operations.md').matchAll(/^\| (`[^|]+`) \| (?:\w+, )?(?:debug|info|warn|error) \|/gm)]
    const told = rows.flatMap(([, names = '']) => [...names.matchAll(/`([^`]+)`/g)].map((match) => match[1]))
    expect(new Set(told)).toEqual(new Set(Object.keys(events)))
  })

  test('tell of no limit that is none', () => {
    expect(read('config/settings.md')).not.toMatch(/undefined|NaN|9007199254740991/)
  })

  test('draw the states in one way', () => {
    const drawing = (page: string) => /^ {4}pending ─►(?:.*\n(?: {4}|\n(?= {4})))*.*$/m.exec(read(page))?.[0] ?? page
    expect(drawing('README.md').split('\n').length).toBeGreaterThan(6)
    expect(drawing('docs/architecture.md')).toBe(drawing('README.md'))
  })

  test.each([
    ['the README', () => parse(block(/^ {8}service:\n(?: {8}.*\n)+/m))],
    ['the example', () => parse(read('config/credsync.example.yaml'))],
  ])('show a first file that fits the columns of %s and the sandbox', (_, written) => {
    const [header = ''] = block(/^ {8}e_mail,.*\n(?: {8}.*\n)+/m).split('\n')
    const columns = parseFileSettings(written()).pipelines['spring-cohort']?.columns as Record<string, ColumnSpec>
    expect(Object.keys(columns)).toContain('Primary Value')
    const planned = planColumns(header.split(','), columns, sandboxFields)
    expect(planned.faults).toEqual([])
    expect(planned.unusedColumns).toEqual([])
  })
})

/** An indented block of the README, without its indent. */
function block(shape: RegExp): string {
  return (shape.exec(read('README.md'))?.[0] ?? '').replace(/^ {8}/gm, '')
}
