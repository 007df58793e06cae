// Checks the rules of the codebase: directions of imports, owners of packages, names, sizes and cycles.

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'

const root = resolve(import.meta.dirname, '../..')
const filesIn = (folder: string) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => join(folder, name))
const files = ['config', 'jobs', 'sandboxes', 'src'].flatMap(filesIn)
const textOf = new Map(files.map((file) => [file, readFileSync(join(root, file), 'utf8')]))

interface Import {
  from: string
  to: string
  /** Whether loading the file loads the imported one too; not so for types, and for what it imports later. */
  immediate: boolean
}

const imports: Import[] = files.flatMap((file) => {
  const found = (textOf.get(file) ?? '').matchAll(
    /^\s*(?:import|export)\s[^'"]*?from\s+['"]([^'"]+)['"]|^import\s+['"]([^'"]+)['"]|import\(\s*['"]([^'"]+)['"]\s*\)/gm,
  )
  return [...found].map(([text, named, bare, late]) => ({
    from: file,
    to: resolveSpecifier(file, named ?? bare ?? late ?? ''),
    immediate: late === undefined && !/^\s*(import|export) type /.test(text),
  }))
})

function resolveSpecifier(file: string, specifier: string): string {
  if (specifier.startsWith('#')) return specifier.slice(1)
  if (specifier.startsWith('.')) return relative(root, resolve(root, dirname(file), specifier))
  return specifier
}

const extensions = ['certificates', 'console', 'courses', 'lms', 'notices', 'privacy', 'probe']
const inExtensions = (folder: string) => extensions.map((name) => `src/extensions/${name}/${folder}`)

// From the bottom up. A file may import from its own room and from the layers below, but not from another room of its
// layer. `import type` counts too: a file that needs a neighbor's type declares the shape it needs, or the type moves
// down. A room inside another is one of its own.
const layers: string[][] = [
  ['src/platform'],
  ['src/domain', 'src/platform/http'],
  ['src/issuer', 'src/files/tables', 'src/ledger'],
  inExtensions('ledger'),
  ['config/duration-setting.ts'],
  ['config/source-settings.ts'],
  ['src/extensions/lms/moodle', 'src/extensions/lms/canvas', 'src/extensions/lms/lti', 'src/extensions/lms/webhooks'],
  ['src/extensions/lms/xapi'],
  // Kinds of systems and targets include their settings, so the configuration is read above them.
  ['src/extensions/lms/systems'],
  ['src/extensions/lms/targets'],
  // What the schemas of several settings are made of.
  ['config/file-reading-settings.ts', 'config/read-variable.ts', 'config/without-secrets.ts'],
  ['config/addresses-without-tls.ts'],
  inExtensions('settings'),
  ['config'],
  inExtensions('settings/check-references.ts'),
  ['config/settings.ts'],
  ['config/fingerprint.ts', 'config/storage-settings.ts'],
  ['src/files/inbox'],
  ['src/issuing'],
  extensions.filter((name) => name !== 'console').map((name) => `src/extensions/${name}`),
  ['src/app'],
  ['src/check', 'src/web', 'src/extensions/console'],
  ['src/extensions/lms/web'],
  ['src/web/serve-web.ts'],
  inExtensions('check'),
  // What joins the checks, and below the commands, of the core and the extensions.
  ['src/check/check-columns.ts'],
  ['src/check/check-pipeline.ts'],
  ['src/check/check-all.ts'],
  ['src/cli'],
  inExtensions('commands'),
  ['demo', 'explain', 'start', 'status'].map((name) => `src/cli/commands/${name}.ts`),
  ['src/cli/registration'],
  ['src/cli/command-line.ts'],
  ['jobs'],
]

/** Outside the layers: sandboxes of the services, which talk to the clients over HTTP only. */
const sandboxes = 'sandboxes'

const rooms = layers.flatMap((names, layer) => names.map((room) => ({ room, layer })))
const roomOf = (path: string) =>
  rooms
    .filter(({ room }) => path === room || path.startsWith(`${room}/`))
    .toSorted((a, b) => b.room.length - a.room.length)[0] ?? null
const describeImport = ({ from, to }: Pick<Import, 'from' | 'to'>) => `${from} → ${to}`

const owners: Record<string, RegExp> = {
  undici: /^src\/(issuer|platform)\/http\//,
  bottleneck: /^src\/platform\/limits\/bottleneck-gate\.ts$/,
  bullmq: /^src\/platform\/queue\//,
  ioredis: /^src\/platform\/redis\//,
  pg: /^src\/platform\/(database|queue)\//,
  pino: /^src\/platform\/log\/log\.ts$/,
  // The sandbox reads and writes workbooks with its own code, because it shares none with the client.
  exceljs: /^src\/files\/tables\/(xlsx-table|template-table)\.ts$|^sandboxes\/service\/workbook\.ts$/,
  jszip: /^src\/issuing\/upload\/zip-bytes\.ts$|^sandboxes\/service\/zip\.ts$/,
  'csv-parse': /^src\/files\/tables\/csv\//,
  'csv-stringify': /^src\/files\/tables\/csv-table\.ts$|^sandboxes\/sample-file\.ts$/,
  yauzl: /^src\/files\/tables\/zip\//,
  saxes: /^src\/files\/tables\/xlsx\//,
  re2js: /^src\/domain\/recipient\/field-pattern\.ts$/,
  'prom-client': /^src\/(web\/|extensions\/lms\/web\/|platform\/make-gauge\.ts$)/,
  fastify: /^src\/(extensions\/console|extensions\/lms\/web|web)\/|^sandboxes\//,
  hono: /^src\/extensions\/console\/html\/markup\.ts$/,
  'openid-client': /^src\/(extensions\/console\/sign-in\/identity-provider|platform\/discover-provider)\.ts$/,
  '@fastify/busboy': /^src\/extensions\/console\/uploads\/receive-list\.ts$/,
  'cron-parser': /^src\/platform\/time\/schedule\.ts$/,
  jose: /^src\/extensions\/lms\/lti\/(assertion|signing-key)\.ts$|^src\/extensions\/lms\/webhooks\/(key-sets|jwt-body)\.ts$|^sandboxes\/moodle\/lti\//,
  nodemailer: /^src\/extensions\/notices\/channels\/mail\.ts$/,
  standardwebhooks: /^src\/platform\/sign-standard-webhook\.ts$|^src\/extensions\/lms\/webhooks\//,
  commander: /^src\/cli\/(command-line|command-registry)\.ts$/,
  yaml: /^config\/settings\.ts$|^src\/extensions\/courses\/course-yaml\.ts$/,
}

describe('the layers', () => {
  test('contain every source file in one of their rooms', () => {
    expect(files.filter((file) => !roomOf(file) && !file.startsWith(`${sandboxes}/`))).toEqual([])
  })

  test('let imports, including types, point down only and never into a neighboring room', () => {
    const wrong = imports.filter(({ from, to }) => {
      const [a, b] = [roomOf(from), roomOf(to)]
      return a && b && a.room !== b.room && b.layer >= a.layer && !leadsIntoExtension({ from, to })
    })
    expect(wrong.map(describeImport)).toEqual([])
  })

  test('keep src independent of jobs', () => {
    expect(
      imports.filter(({ from, to }) => from.startsWith('src/') && to.startsWith('jobs/')).map(describeImport),
    ).toEqual([])
  })

  test('keep the sandboxes separate: they import nothing of the program, and are imported only by the command line', () => {
    const inside = (path: string) => path.startsWith(`${sandboxes}/`)
    const wrong = imports.filter(({ from, to }) =>
      inside(from)
        ? /^(src|config|jobs)\//.test(to)
        : inside(to) && !/^src\/(cli|extensions\/lms\/commands)\//.test(from),
    )
    expect(wrong.map(describeImport)).toEqual([])
  })

  test('keep the sandboxes of the service, Moodle and Canvas separate from each other', () => {
    const sandboxOf = (path: string) => /^sandboxes\/(\w+)\//.exec(path)?.[1]
    const wrong = imports.filter(({ from, to }) => {
      const [a, b] = [sandboxOf(from), sandboxOf(to)]
      return a && b && a !== b
    })
    expect(wrong.map(describeImport)).toEqual([])
  })

  test('have at most fourteen rooms in src, none with fewer than three files', () => {
    const names = readdirSync(join(root, 'src'))
    expect(names.length).toBeLessThanOrEqual(14)
    expect(names.filter((name) => files.filter((file) => file.startsWith(`src/${name}/`)).length < 3)).toEqual([])
  })

  test('are mirrored by the tests', () => {
    const folders = new Set(
      filesIn('test/src')
        .filter((file) => file.endsWith('.test.ts'))
        .map((file) => dirname(file).replace(/^test\//, '')),
    )
    expect([...folders].filter((folder) => !existsSync(join(root, folder)) && !testsOnly.includes(folder))).toEqual([])
    const top = readdirSync(join(root, 'test'), { withFileTypes: true })
    expect(top.filter((entry) => entry.isFile()).map(({ name }) => name)).toEqual(['README.md'])
  })
})

const extensionOf = (path: string) => /^(?:src\/extensions|jobs)\/(\w+)\//.exec(path)?.[1] ?? ''
const isInExtension = (path: string) => extensions.includes(extensionOf(path))
const isInCore = (path: string) =>
  /^src\/(domain|files|issuer|issuing|ledger|platform)\//.test(path) ||
  /^src\/app\/(open-core|request-limits|running-workers|senders|storage|tuning)\.ts$/.test(path) ||
  (/^jobs\/(inbox\/|worker\/)?[^/]+\.ts$/.test(path) && !joiningJobs.includes(path))
/** Where the jobs of the core and of the extensions meet. */
const joiningJobs = [
  'jobs/extensions.ts',
  'jobs/job-actions.ts',
  'jobs/processors.ts',
  'jobs/worker.ts',
  'jobs/worker/sweep.ts',
]

/** Whether an import leads from the core, or from another extension, into an extension. Types count as well. */
const leadsIntoExtension = ({ from, to }: Pick<Import, 'from' | 'to'>) =>
  isInExtension(to) && (isInCore(from) || (isInExtension(from) && extensionOf(from) !== extensionOf(to)))

describe('the extensions', () => {
  // Whoever forgets people has to empty what learning systems keep, in one transaction with the rest.
  test('are imported neither by the core nor by each other, but that privacy reads and empties the ledger of learning systems', () => {
    const arrows = imports.filter(leadsIntoExtension).map(({ from, to }) => `${dirname(from)} → ${dirname(to)}`)
    expect([...new Set(arrows)].toSorted()).toEqual([
      'src/extensions/privacy/commands → src/extensions/lms/ledger',
      'src/extensions/privacy/ledger → src/extensions/lms/ledger',
    ])
  })

  test('have a folder each', () => {
    expect(readdirSync(join(root, 'src/extensions')).toSorted()).toEqual(extensions)
  })
})

/** Test folders without a matching source folder. */
const testsOnly = ['src/files/tables/corpus']

describe('packages', () => {
  test('have one owner each', () => {
    const wrong = imports.filter(({ from, to }) => {
      const name = /^(?:@[^/]+\/)?[^/]+/.exec(to)?.[0] ?? ''
      return owners[name] && !owners[name].test(from)
    })
    expect(wrong.map(describeImport)).toEqual([])
  })
})

describe('a start loads only the packages that it needs', () => {
  // Every command begins with these files, and with nothing else it is there in a moment.
  test.each([
    ['the help', 'jobs/main.ts', ['commander', 'pino']],
    ['status', 'src/cli/commands/status.ts', ['pg', 'pino']],
    ['explain', 'src/cli/commands/explain.ts', ['pg', 'pino']],
    [
      'a command that only reads from the service',
      'src/cli/open-service-for-reading.ts',
      ['bottleneck', 'cron-parser', 'jose', 'pino', 'standardwebhooks', 'undici', 'yaml', 'zod'],
    ],
  ])('%s', (_, entry, packages) => {
    const loaded = new Set([entry])
    for (const file of loaded)
      for (const { from, to, immediate } of imports) if (from === file && immediate) loaded.add(to)
    const named = [...loaded].filter((path) => !textOf.has(path) && !path.startsWith('node:'))
    expect(named.sort()).toEqual(packages)
  })
})

describe('import cycles', () => {
  test('do not exist between files, including types', () => {
    expect(findCycle(imports)).toBeNull()
  })

  test('do not exist between folders: a folder counts as one unit for the files and folders beside it', () => {
    // Between the rooms of src, the layers rule.
    const folders = new Set(files.flatMap((file) => parents(file)).filter((folder) => folder !== 'src'))
    const held = imports.filter((each) => !leadsIntoExtension(each))
    const cycles = [...folders].map((folder) => {
      const part = (path: string) =>
        path.startsWith(`${folder}/`) ? `${folder}/${path.slice(folder.length + 1).split('/')[0]}` : ''
      const within = held.map(({ from, to }) => ({ from: part(from), to: part(to) }))
      return findCycle(within.filter(({ from, to }) => from && to && from !== to))
    })
    expect(cycles.filter((cycle) => cycle !== null)).toEqual([])
  })
})

describe('names', () => {
  test('are never vague catch-alls: they say what is inside', () => {
    const vagueNames = /(^|[/-])(utils?|helpers?|common|shared|misc|types|manager|service|handler)\.ts$/
    expect(files.filter((file) => vagueNames.test(file))).toEqual([])
  })

  test('of files use no word to avoid', () => {
    const avoided = (file: string) => wordsOf(file).filter((word) => wordsToAvoid.includes(word))
    expect(files.filter((file) => avoided(file).length > 0)).toEqual([])
  })

  test('that are exported use no word to avoid', () => {
    const wrong = exportedNames().filter(({ name }) => wordsOf(name).some((word) => wordsToAvoid.includes(word)))
    expect(wrong.map(({ file, name }) => `${name} in ${file}`)).toEqual([])
  })

  test('that are exported mean one thing each', () => {
    const exportsByName = Map.groupBy(exportedNames(), ({ name }) => name)
    const duplicates = [...exportsByName].filter(([, exports]) => new Set(exports.map(({ file }) => file)).size > 1)
    expect(duplicates.map(([name, exports]) => `${name}: ${exports.map(({ file }) => file).join(', ')}`)).toEqual([])
  })
})

/** Words with several meanings, or none for a new reader. For replacements, see docs/glossary.md. */
const wordsToAvoid = [
  ...['door', 'doors', 'desk', 'heard', 'hear', 'told', 'tell', 'tells', 'standing', 'judge', 'judged', 'judging'],
  ...['crew', 'bury', 'takers', 'mischief', 'premises', 'speakable', 'unspoken', 'sought', 'surroundings', 'mend'],
]
/** `openSlotClient` and `slot-client.ts` are split into open, slot, client. */
const wordsOf = (name: string) => name.split(/[^A-Za-z]+|(?<=[a-z])(?=[A-Z])/).map((word) => word.toLowerCase())

function exportedNames(): { file: string; name: string }[] {
  return files
    .filter((file) => !file.startsWith(`${sandboxes}/`))
    .flatMap((file) =>
      [
        ...(textOf.get(file) ?? '').matchAll(
          /^export (?:async )?(?:function\*?|class|abstract class|interface|type|const) (\w+)/gm,
        ),
      ].map(([, name = '']) => ({ file, name })),
    )
}

describe('errors', () => {
  // `safeMessage` hides the text of an error whose name is not that of its class, as it does with errors of drivers.
  test('have the name of their class', () => {
    const classes = [...textOf].flatMap(([file, text]) =>
      [...text.matchAll(/^export (abstract )?class (\w+) extends \w*Error\b[\s\S]*?^}/gm)].map(
        ([body, isAbstract, name]) => ({ file, name, hasName: isAbstract || body.includes(` name = '${name}'`) }),
      ),
    )
    expect(classes.length).toBeGreaterThan(50)
    expect(classes.filter(({ hasName }) => !hasName)).toEqual([])
  })
})

describe('the sources', () => {
  test('are small files, and even smaller jobs', () => {
    const tooLong = files
      .map((file) => ({
        file,
        lines: (textOf.get(file) ?? '').split('\n').length,
        maxLines: file.startsWith('jobs/') ? 160 : 400,
      }))
      .filter(({ lines, maxLines }) => lines > maxLines)
    expect(tooLong).toEqual([])
  })

  test('have no description of a file below its first line of code, where it describes nothing', () => {
    const misplaced = [...files, ...filesIn('test')].filter((file) => {
      const [, code = ''] =
        /^(?:#!.*\n|\/\/.*\n|\/\*[\s\S]*?\*\/\n|\n)*([\s\S]*)/.exec(readFileSync(join(root, file), 'utf8')) ?? []
      return /^(?:\/\/.*|\/\*\*(?:[^*]|\*(?!\/))*\*\/)\n\n/m.test(code)
    })
    expect(misplaced).toEqual([])
  })

  test('read the clock, random numbers and the environment only at their edges', () => {
    const edges = /^(src\/platform\/time\/clock|jobs\/main)\.ts$/
    const reads = /\bDate\.now\(|\bnew Date\(\)|\bsetTimeout\(|\bsetInterval\(|\bMath\.random\(|\bprocess\.env\b/
    expect(files.filter((file) => !edges.test(file) && reads.test(withoutComments(file)))).toEqual([])
  })

  test('have SQL only in the ledger and the database', () => {
    const sql = /\b(SELECT [\w*(]|INSERT INTO|UPDATE \w+ SET|DELETE FROM)/
    const allowed =
      /^src\/ledger\/|^src\/extensions\/\w+\/ledger\/|^src\/platform\/(database|queue)\/|^src\/web\/health\.ts$|^src\/cli\/commands\/reconcile\.ts$/
    expect(files.filter((file) => !allowed.test(file) && sql.test(withoutComments(file)))).toEqual([])
  })
})

function withoutComments(file: string): string {
  return (textOf.get(file) ?? '').replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '')
}

function parents(file: string): string[] {
  const parts = file.split('/')
  return parts.slice(1).map((_, at) => parts.slice(0, at + 1).join('/'))
}

function findCycle(among: readonly Pick<Import, 'from' | 'to'>[]): string | null {
  const graph = Map.groupBy(among, ({ from }) => from)
  const done = new Set<string>()
  const walk = (file: string, path: string[]): string | null => {
    if (path.includes(file)) return [...path.slice(path.indexOf(file)), file].join(' → ')
    if (done.has(file)) return null
    for (const { to } of graph.get(file) ?? []) {
      const cycle = walk(to, [...path, file])
      if (cycle) return cycle
    }
    done.add(file)
    return null
  }
  for (const file of graph.keys()) {
    const cycle = walk(file, [])
    if (cycle) return cycle
  }
  return null
}
