// The style sheet, the script and the icon: read once, and served under addresses that name their content, so that
// browsers keep them until they change.

import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'

export interface Asset {
  /** Without the base and the query. */
  path: string
  /** With what tells its content from that of another version. */
  versionedPath: string
  type: string
  content: string
}

const files = {
  style: ['console.css', 'text/css; charset=utf-8'],
  script: ['console.js', 'text/javascript; charset=utf-8'],
  icon: ['icon.svg', 'image/svg+xml'],
} as const

export type Assets = Record<keyof typeof files, Asset>

export async function readAssets(): Promise<Assets> {
  const read = await Promise.all(
    Object.entries(files).map(async ([kind, [name, type]]) => {
      const content = await readFile(new URL(`./assets/${name}`, import.meta.url), 'utf8')
      const version = createHash('sha256').update(content).digest('hex').slice(0, 12)
      return [kind, { path: `/${name}`, versionedPath: `/${name}?v=${version}`, type, content }] as const
    }),
  )
  return Object.fromEntries(read) as Assets
}
