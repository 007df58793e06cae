// Writes the files that are generated from the schema: the JSON Schema for editors, and the reference page. Run by
// `npm run docs`.

import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { referencePage, schemaFile } from './generated-files.ts'

for (const [name, text] of [
  ['credsync.schema.json', schemaFile()],
  ['settings.md', referencePage()],
] as const)
  await writeFile(join(import.meta.dirname, name), text)
