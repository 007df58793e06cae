// A process whose worker starts while the database may refuse its connections: node starting-worker.ts URL. Prints a
// line at each fault of the worker, and ends once the worker has done a job.

import { Worker } from 'bullmq'
import { createQueueBackend, openQueuePool } from '#src/platform/queue/queue-connection.ts'

const [url = ''] = process.argv.slice(2)
const worked = Promise.withResolvers<void>()
const connection = openQueuePool({ connectionString: url, schema: 'queue', max: 4 })
const worker = new Worker('jobs', async () => worked.resolve(), { connection }, createQueueBackend)
worker.on('error', () => process.stdout.write('fault\n'))
await worked.promise
await worker.close(true)
await connection.pool.end()
