// A process of its own that opens the embedded database of a directory, says so on stdout, and waits to be killed or,
// once its stdin ends, releases it. Arguments: data directory, system directory.

import { openEmbeddedPostgres } from '#src/database/embedded-postgres.ts'
import { systemClock } from '#src/time/clock.ts'

const [dataDir = '', systemDir = ''] = process.argv.slice(2)
const database = await openEmbeddedPostgres({ dataDir, systemDir, clock: systemClock })
process.stdout.write(`${JSON.stringify({ url: database.url })}\n`)
process.stdin.resume()
process.stdin.on('end', async () => {
  process.stdout.write(`${JSON.stringify({ released: await database.release() })}\n`)
})
