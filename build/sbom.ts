// `npm run sbom`: prints the packages of the program as a CycloneDX document, from the lockfile. npm writes it, for a
// copy of the lockfile without the packages of development: with --omit=dev, npm 11 also leaves out those that the program
// and development share, such as `yaml`.

import { spawnSync } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

const root = resolve(import.meta.dirname, '..')
const { devDependencies: _, ...manifest } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
const { packages, ...lock } = JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8'))
const used = Object.entries<{ dev?: boolean; devDependencies?: object }>(packages).filter(([, { dev }]) => !dev)
const withoutDevelopment = used.map(([path, { devDependencies: _, ...entry }]) => [path, entry])

const parent = await mkdtemp(join(tmpdir(), 'credsync-sbom-'))
// npm names the program after the folder.
const folder = join(parent, manifest.name)
await mkdir(folder)
await writeFile(join(folder, 'package.json'), JSON.stringify(manifest))
const packagesThere = Object.fromEntries(withoutDevelopment)
await writeFile(join(folder, 'package-lock.json'), JSON.stringify({ ...lock, packages: packagesThere }))
const options = ['--sbom-format=cyclonedx', '--sbom-type=application', '--package-lock-only']
const { status } = spawnSync('npm', ['sbom', ...options], { cwd: folder, stdio: 'inherit' })
await rm(parent, { recursive: true })
process.exitCode = status ?? 1
