// `npm run build`: writes dist/, the plain JavaScript that the package and the image run. Needs no package, so that the
// image can build it without installing any. Run by hand: node build/main.ts [folder]

import { copyFile, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join, relative, resolve } from 'node:path'
import { toJavaScript } from './to-javascript.ts'

const root = resolve(import.meta.dirname, '..')
const target = resolve(process.argv[2] ?? join(root, 'dist'))
/** Pages, what the package has outside dist/, and files of this machine. */
const notBuilt = /\.md$|^config\/[^/]+\.(yaml|json)$|(^|\/)\.[^/]*$/
/** Needed only to run TypeScript. */
const forTypeScript = ['src/files/tables/thread/thread-entry.mjs']

const unfinished = `${target}.unfinished`
await rm(unfinished, { recursive: true, force: true })
for (const folder of ['config', 'jobs', 'sandboxes', 'src'])
  for (const entry of await readdir(join(root, folder), { recursive: true, withFileTypes: true }))
    if (entry.isFile()) await buildFile(relative(root, join(entry.parentPath, entry.name)))

// Node looks up #src/… and the version in the nearest package.json, which is this one.
const { name, version, type, imports } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
const { '#build/*': _, '#test/*': __, ...builtImports } = imports
await writeFile(
  join(unfinished, 'package.json'),
  `${JSON.stringify({ name, version, type, imports: builtImports }, null, 2)}\n`,
)
// At the end, so that a build that fails leaves the one from before.
await rm(target, { recursive: true, force: true })
await rename(unfinished, target)

async function buildFile(path: string): Promise<void> {
  if (forTypeScript.includes(path) || notBuilt.test(path)) return
  if (!/\.(ts|mjs|sql)$|^src\/extensions\/console\/assets\//.test(path))
    throw new Error(`build/main.ts does not know whether the program reads ${path}.`)
  const built = join(unfinished, path.replace(/\.ts$/, '.js'))
  await mkdir(dirname(built), { recursive: true })
  // Copied with its mode, because the program may be executed, and with its bytes, because the ledger compares the
  // checksums of migrations.
  await copyFile(join(root, path), built)
  if (path.endsWith('.sql') || path.startsWith('src/extensions/console/assets/')) return
  const code = toJavaScript(await readFile(join(root, path), 'utf8'))
  await writeFile(built, code)
}
