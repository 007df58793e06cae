// A process that opens the embedded database of a directory and reports it on stdout. It releases the database when its
// stdin ends, unless it is killed first. Arguments: data directory, system directory.

import { openEmbeddedPostgres } from '#src/platform/database/embedded-postgres.ts'
import { systemClock } from '#src/platform/time/clock.ts'

const [dataDir = '', systemDir = ''] = process.argv.slice(2)
const database = await openEmbeddedPostgres({ dataDir, systemDir, clock: systemClock })
process.stdout.write(`${JSON.stringify({ url: database.url })}\n`)
process.stdin.resume()
process.stdin.on('end', async () => {
  process.stdout.write(`${JSON.stringify({ released: await database.release() })}\n`)
})
