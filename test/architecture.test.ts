// The house's rules, held by running them: where imports may point, who owns which package, names, sizes, circles.

import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'

const root = resolve(import.meta.dirname, '..')
const files = ['config', 'jobs', 'src'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => join(folder, name)),
)

interface Import {
  from: string
  to: string
}

const imports: Import[] = files.flatMap((file) => {
  const text = readFileSync(join(root, file), 'utf8')
  const found = text.matchAll(
    /^\s*(?:import|export)\s[^'"]*?from\s+['"]([^'"]+)['"]|^import\s+['"]([^'"]+)['"]|import\(\s*['"]([^'"]+)['"]\s*\)/gm,
  )
  return [...found].map((match) => ({ from: file, to: resolveSpecifier(file, match[1] ?? match[2] ?? match[3] ?? '') }))
})

function resolveSpecifier(file: string, specifier: string): string {
  if (specifier.startsWith('#')) return specifier.slice(1)
  if (specifier.startsWith('.')) return relative(root, resolve(root, dirname(file), specifier))
  return specifier
}

// The floors of the house, from the ground up. A file may import from its own folder and from floors below its own.
const floors: string[][] = [
  ['src/time', 'src/secret', 'src/retry', 'src/log', 'src/wire', 'src/json', 'config'],
  ['src/issuance', 'src/recipients'],
  [
    'src/database',
    'src/inbox',
    'src/sources',
    'src/issuer',
    'src/limits',
    'src/ledger',
    'src/queue',
    'src/redis',
    'src/pipelines',
    'src/sandbox',
    'src/demo',
    'src/xapi',
    'src/moodle-sandbox',
    'src/moodle',
    'src/canvas',
    'src/events',
    'src/lti',
  ],
  [
    'src/reconcile',
    'src/write-back',
    'src/intake',
    'src/probe',
    'src/upload',
    'src/courses',
    'src/downloads',
    'src/learning',
  ],
  ['src/app', 'src/allowance', 'src/storage', 'src/tuning'],
  ['src/check', 'src/web', 'src/adopt'],
  ['src/cli'],
  ['jobs'],
]

function placeOf(path: string): { floor: number; room: string } | null {
  for (const [floor, rooms] of floors.entries()) {
    const room = rooms.find((each) => path === `${each}.ts` || path.startsWith(`${each}/`))
    if (room) return { floor, room }
  }
  return null
}

// Two nouns may lean on a third that is more basic than both: SQL and jobs need a connection, identity the names of fields.
const neighbourly = [
  'src/ledger → src/database',
  'src/queue → src/redis',
  'src/issuance → src/recipients',
  'config → src/time',
  'config → src/secret',
  'config → src/json',
  'src/log → src/time',
  'src/wire → src/time',
]

const owners: Record<string, RegExp> = {
  undici: /^src\/issuer\/(http|answer-collector)\.ts$|^src\/wire\//,
  bottleneck: /^src\/limits\/bottleneck-gate\.ts$/,
  bullmq: /^src\/queue\//,
  ioredis: /^src\/redis\//,
  pg: /^src\/(database\/|queue\/)/,
  pino: /^src\/log\/log\.ts$/,
  // The sandbox reads and writes workbooks by itself: it shares no code with the client.
  exceljs: /^src\/sources\/(xlsx-table|template-workbook)\.ts$|^src\/sandbox\/workbook\.ts$/,
  jszip: /^src\/upload\/zip-bytes\.ts$|^src\/sandbox\/zip\.ts$/,
  'csv-parse': /^src\/sources\/csv\//,
  'csv-stringify': /^src\/sources\/csv-table\.ts$|^src\/demo\/sample-file\.ts$/,
  yauzl: /^src\/sources\/zip\//,
  saxes: /^src\/sources\/xlsx\//,
  re2js: /^src\/recipients\/field-pattern\.ts$/,
  'prom-client': /^src\/web\//,
  fastify: /^src\/(sandbox|moodle-sandbox|web)\//,
  '@fastify/busboy': /^src\/sandbox\/form\.ts$/,
  'cron-parser': /^src\/time\/schedule\.ts$/,
  jose: /^src\/lti\/(assertion|signing-key)\.ts$|^src\/events\/(key-sets|signed-body)\.ts$|^src\/moodle-sandbox\/lti\//,
  standardwebhooks: /^src\/events\//,
  commander: /^src\/cli\/(command-line|offers\/offer)\.ts$/,
  yaml: /^config\/settings\.ts$|^src\/courses\/course-yaml\.ts$/,
}

describe('the house', () => {
  test('has every source file on one of its floors', () => {
    expect(files.filter((file) => !placeOf(file))).toEqual([])
  })

  test('lets imports point downward only, and no room into its neighbour', () => {
    const wrong = imports.filter(({ from, to }) => {
      const [a, b] = [placeOf(from), placeOf(to)]
      if (!a || !b || a.room === b.room) return false
      return b.floor >= a.floor && !neighbourly.includes(`${a.room} → ${b.room}`) && !composes(a.room, b.room)
    })
    expect(wrong.map(({ from, to }) => `${from} → ${to}`)).toEqual([])
  })

  test('keeps src free of jobs', () => {
    expect(imports.filter(({ from, to }) => from.startsWith('src/') && to.startsWith('jobs/'))).toEqual([])
  })

  test('gives each outside package one owner', () => {
    const wrong = imports.filter(({ from, to }) => {
      const name = /^(?:@[^/]+\/)?[^/]+/.exec(to)?.[0] ?? ''
      return owners[name] && !owners[name].test(from)
    })
    expect(wrong.map(({ from, to }) => `${from} → ${to}`)).toEqual([])
  })

  test('keeps the sandbox and the client apart: they meet on the wire only', () => {
    const wrong = imports.filter(
      ({ from, to }) => from.startsWith('src/sandbox/') && to.startsWith('src/') && !/^src\/(sandbox|time)\//.test(to),
    )
    expect(wrong).toEqual([])
  })

  test('keeps the sandbox of a learning system and its client apart as well', () => {
    const wrong = imports.filter(
      ({ from, to }) =>
        from.startsWith('src/moodle-sandbox/') && to.startsWith('src/') && !/^src\/(moodle-sandbox|time)\//.test(to),
    )
    expect(wrong).toEqual([])
  })

  test('has no import circle', () => {
    expect(findCircle()).toBeNull()
  })

  test('has no drawer: names say what is inside', () => {
    const drawers = /(^|[/-])(utils?|helpers?|common|shared|misc|types|manager|service|handler)(\.ts$|\/)/
    expect(files.filter((file) => drawers.test(file))).toEqual([])
  })

  test('has small files and shorter stories', () => {
    const tooLong = files
      .map((file) => ({
        file,
        lines: readFileSync(join(root, file), 'utf8').split('\n').length,
        most: file.startsWith('jobs/') ? 110 : 250,
      }))
      .filter(({ lines, most }) => lines > most)
    expect(tooLong).toEqual([])
  })

  test('reads the clock, the dice and the environment at its edges only', () => {
    const edges = /^(src\/time\/clock|jobs\/main)\.ts$/
    const reads = /\bDate\.now\(|\bnew Date\(\)|\bsetTimeout\(|\bsetInterval\(|\bMath\.random\(|\bprocess\.env\b/
    const wrong = files.filter(
      (file) => !edges.test(file) && reads.test(withoutComments(readFileSync(join(root, file), 'utf8'))),
    )
    expect(wrong).toEqual([])
  })

  test('keeps SQL in the ledger and the database', () => {
    const sql = /\b(SELECT [\w*(]|INSERT INTO|UPDATE \w+ SET|DELETE FROM)/
    const allowed = /^src\/(ledger|database|queue)\/|^src\/web\/health\.ts$|^src\/cli\/commands\/reconcile\.ts$/
    expect(
      files.filter((file) => !allowed.test(file) && sql.test(withoutComments(readFileSync(join(root, file), 'utf8')))),
    ).toEqual([])
  })
})

/** The composition root and its helpers on one floor may use each other. */
function composes(a: string, b: string): boolean {
  const roots = ['src/app', 'src/allowance', 'src/storage', 'src/tuning']
  return roots.includes(a) && roots.includes(b)
}

function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '')
}

function findCircle(): string | null {
  const graph = new Map<string, string[]>()
  const typeOnly = new Set(
    files.flatMap((file) => {
      const text = readFileSync(join(root, file), 'utf8')
      return [...text.matchAll(/^import type\s[^'"]*?from\s+['"]([^'"]+)['"]/gm)].map(
        (match) => `${file}|${resolveSpecifier(file, match[1] ?? '')}`,
      )
    }),
  )
  for (const { from, to } of imports)
    if (!typeOnly.has(`${from}|${to}`)) graph.set(from, [...(graph.get(from) ?? []), to])
  const done = new Set<string>()
  const walk = (file: string, path: string[]): string | null => {
    if (path.includes(file)) return [...path.slice(path.indexOf(file)), file].join(' → ')
    if (done.has(file)) return null
    for (const next of graph.get(file) ?? []) {
      const circle = walk(next, [...path, file])
      if (circle) return circle
    }
    done.add(file)
    return null
  }
  for (const file of graph.keys()) {
    const circle = walk(file, [])
    if (circle) return circle
  }
  return null
}
