// The files of the baseline in their order, wherever in the source they lie.

import { readdirSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'

const src = resolve(import.meta.dirname, '../../src')

export const migrationFiles: readonly { name: string; path: string }[] = readdirSync(src, {
  recursive: true,
  encoding: 'utf8',
})
  .filter((file) => /\bmigrations\/[^/]+\.sql$/.test(file))
  .map((file) => ({ name: basename(file), path: join(src, file) }))
  .sort((a, b) => (a.name < b.name ? -1 : 1))
