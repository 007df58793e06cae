// A child process with a client whose token is shared through Redis. Reads a course once for each line on stdin and
// prints the result on stdout: `read`, or the error's name. The name of the course tells the service which process it
// is. Arguments: name, address of the service, key, secret, address of Redis, lease in milliseconds.

import { createInterface } from 'node:readline'
import { openIssuer } from '#src/issuer/issuer.ts'
import { openRedisTokenStore } from '#src/issuer/tokens/redis-token-store.ts'
import { openGates } from '#src/platform/limits/gates.ts'
import { openRedis } from '#src/platform/redis/open-redis.ts'
import { Secret } from '#src/platform/secret.ts'
import { systemClock as clock } from '#src/platform/time/clock.ts'

const [name = '', baseUrl = '', key = '', secret = '', redisUrl = '', lease = ''] = process.argv.slice(2)
const account = { baseUrl, key: new Secret(key), secret: new Secret(secret) }
const redis = await openRedis({ url: redisUrl })
const tokenStore = openRedisTokenStore({ ...account, run: redis.run.bind(redis), clock, leaseMs: Number(lease) })
const gates = openGates({ general: 60, auth: 3 }, clock)
const issuer = openIssuer({ ...account, gates, clock, random: () => 0, tokenStore })

process.stdout.write('up\n')
for await (const _line of createInterface({ input: process.stdin })) {
  const result = await issuer.courseDetail(name).then(
    () => 'read',
    (error: Error) => error.name,
  )
  process.stdout.write(`${result}\n`)
}
redis.close()
gates.stop()
await issuer.close()
