// Checks that headings, paths and commands named in the documents exist.

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { parseFileSettings } from '#config/settings.ts'
import type { ColumnSpec } from '#src/domain/recipient/column-plan.ts'
import { planColumns } from '#src/domain/recipient/plan-columns.ts'
import { events } from '#src/platform/log/events.ts'
import { commandNames } from '#test/support/command-names.ts'
import { sandboxFields } from '#test/support/sandbox-fields.ts'

const root = resolve(import.meta.dirname, '../..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const pages = [
  'README.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  'jobs/README.md',
  'src/ledger/README.md',
  'src/extensions/lms/README.md',
  'src/issuing/reconcile/README.md',
  'src/platform/limits/README.md',
  'bench/README.md',
  'test/README.md',
  'config/settings.md',
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' }).map((name) => `docs/${name}`),
].filter((path) => path.endsWith('.md') && existsSync(join(root, path)))

describe('the documents', () => {
  test('describe the journey of a row with the headings of the test that runs it', () => {
    const headings = [...read('docs/a-row.md').matchAll(/^## (.+)$/gm)].map((match) => match[1])
    const titles = [...read('test/stories/files/journey.test.ts').matchAll(/^ {2}test\((['"])(.+?)\1, /gm)].map(
      (match) => match[2],
    )
    expect(titles.length).toBeGreaterThan(5)
    expect(headings).toEqual(titles)
  })

  test('describe that journey in at most nine steps, each with one to three files', () => {
    const steps = read('docs/a-row.md').split(/^## /m).slice(1)
    expect(steps.length).toBeLessThanOrEqual(9)
    const files = steps.map((step) => [...step.matchAll(/\]\(\.\.\/((?:src|jobs|config)\/[^)]+\.ts)\)/g)].length)
    expect(files.filter((count) => count < 1 || count > 3)).toEqual([])
  })

  test.each(pages)('%s links only to files that exist', (page) => {
    const links = [...read(page).matchAll(/\]\((?!https?:|#|mailto:)([^)#\s]+)/g)].map((match) => match[1] ?? '')
    expect(links.filter((link) => !existsSync(resolve(root, dirname(page), link)))).toEqual([])
  })

  test.each(pages)('%s links only to headings that exist', (page) => {
    const links = [...read(page).matchAll(/\]\((?!https?:)([^)#\s]*)#([^)\s]+)\)/g)]
    const dead = links.filter(([, path = '', anchor = '']) => {
      const target = path ? join(dirname(page), path) : page
      return target.endsWith('.md') && !anchorsOf(target).has(anchor)
    })
    expect(dead.map(([link]) => link)).toEqual([])
  })

  test.each(pages)('%s names only existing paths of the repository', (page) => {
    const named = [
      ...read(page).matchAll(
        /`((?:src|jobs|test|docs|config|bench|deploy)\/[\w./-]+\.(?:ts|mjs|md|sql|yaml|json|service))`/g,
      ),
    ].map((match) => match[1] ?? '')
    const local = ['config/credsync.yaml']
    expect(named.filter((path) => !existsSync(join(root, path)) && !local.includes(path))).toEqual([])
  })

  test.each(pages)('%s shows only existing commands', (page) => {
    const shown = [...read(page).matchAll(/(?:^ {4,}|[`$] ?|-- )(?:credsync|run -s credsync --) ([a-z-]+)/gm)].map(
      (match) => match[1],
    )
    expect(shown.filter((name = '') => !commandNames.includes(name))).toEqual([])
  })

  test('describe every event of the log for operators', () => {
    const rows = [...read('docs/operations.md').matchAll(/^\| (`[^|]+`) \| (?:\w+, )?(?:debug|info|warn|error) \|/gm)]
    const described = rows.flatMap(([, names = '']) => [...names.matchAll(/`([^`]+)`/g)].map((match) => match[1]))
    expect(new Set(described)).toEqual(new Set(Object.keys(events)))
  })

  test('name no limit that does not exist', () => {
    expect(read('config/settings.md')).not.toMatch(/undefined|NaN|9007199254740991/)
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

/** The anchors of a page: those of its headings, as GitHub makes them, and those that it names. */
function anchorsOf(page: string): Set<string> {
  const text = read(page)
  const headings = [...text.matchAll(/^#{1,6} (.+)$/gm)].map(([, heading = '']) =>
    heading
      .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .toLowerCase()
      .replace(/[^\p{L}\p{N}_\- ]/gu, '')
      .replaceAll(' ', '-'),
  )
  return new Set([...headings, ...[...text.matchAll(/id="([^"]+)"/g)].map(([, id = '']) => id)])
}

/** An indented block of the README, without its indent. */
function block(shape: RegExp): string {
  return (shape.exec(read('README.md'))?.[0] ?? '').replace(/^ {8}/gm, '')
}
