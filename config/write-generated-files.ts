// Writes the generated files: the JSON Schema for editors and the reference page, both from the schema, and the table
// of kinds of damage in docs/files.md. Run by `npm run docs`.

import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { damageTable } from '#src/domain/recipient/damage/damage-table.ts'
import { referencePage, schemaFile } from './generated-files.ts'

for (const [name, text] of [
  ['credsync.schema.json', schemaFile()],
  ['settings.md', referencePage()],
] as const)
  await writeFile(join(import.meta.dirname, name), text)

const page = join(import.meta.dirname, '../docs/files.md')
const text = await readFile(page, 'utf8')
const start = text.indexOf('| rule | in |')
await writeFile(page, text.slice(0, start) + damageTable() + text.slice(text.indexOf('\n\n', start) + 1))
