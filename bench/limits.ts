// What part of a limit is used, and how often a service that counts strictly refuses: 1, 2 and 4 processes, answers fast, slow and
// held up on the way; beside the limiters that others made. Run by hand:
// node bench/limits.ts [seconds] [processes] [margin in ms] [ours|all|part of a limiter's name]

import { join } from 'node:path'
import { Redis } from 'ioredis'
import { type CrewOptions, mostInASecond, type Result, sendsOf, startCrew } from '#test/support/limits/crew.ts'
import { startRedis } from '#test/support/redis-server.ts'
import { type OtherOrders, otherLimiters } from './parts/other-sender.ts'
import { printTable } from './parts/table.ts'

const seconds = Number(process.argv[2] ?? 20)
const crews = (process.argv[3] ?? '1,2,4').split(',').map(Number)
const marginMs = Number(process.argv[4] ?? 20)
const limit = 60

type Weather = Pick<CrewOptions, 'server' | 'jitterMs' | 'stallMs'>
const weathers: Record<string, Weather> = {
  'fast, 5 ms': { server: { limit, answerMs: 5 } },
  'slow, 50 to 350 ms': { server: { limit, answerMs: [50, 350] } },
  'fast, 0 to 60 ms on the way': { server: { limit, answerMs: 5 }, jitterMs: 60 },
  'fast, stalls of 60 ms': { server: { limit, answerMs: 5 }, stallMs: 60 },
}

type Sent = Pick<CrewOptions, 'redisUrl' | 'sender'> & Partial<Pick<OtherOrders, 'limiter'>>
const ours: Record<string, (redisUrl: string) => Sent> = {
  'this process': () => ({ redisUrl: null }),
  'slots in Redis': (redisUrl) => ({ redisUrl }),
}
const sender = join(import.meta.dirname, 'parts/other-sender.ts')
const others = Object.fromEntries(
  otherLimiters.map((limiter) => [limiter, (redisUrl: string): Sent => ({ redisUrl, sender, limiter })]),
)

const named = process.argv[5] ?? 'all'
const wanted =
  named === 'ours'
    ? Object.entries(ours)
    : Object.entries({ ...ours, ...others }).filter(([limiter]) => named === 'all' || limiter.includes(named))

const redis = await startRedis()
if (!redis) throw new Error('There is no redis-server on the PATH.')
console.log(
  `limit ${limit}, margin ${marginMs} ms, ${seconds} s each; share is of the limit, of what was not refused, from the first send to the last`,
)
const cleaner = new Redis(redis.url)
const lines = [
  ['limiter', 'answers', 'processes', 'share', 'refused', 'of', 'sent/s', 'arrived/s', 'scripts', 'CPU ms'],
]
for (const [limiter, by] of wanted)
  for (const [answers, weather] of Object.entries(weathers))
    for (const processes of limiter === 'this process' ? [1] : crews) {
      // What one limiter remembers there is nothing to the next.
      await cleaner.flushall()
      const orders = { ...weather, ...by(redis.url), processes, limit, marginMs, atOnce: 30 }
      const crew = await startCrew(orders)
      await new Promise((resolve) => setTimeout(resolve, seconds * 1_000))
      const line = [limiter, answers, String(processes), ...figures(await crew.end())]
      lines.push(line)
      // A quarter of an hour for all of them: what is measured so far is worth having.
      process.stderr.write(`${line.join('  ')}\n`)
    }
cleaner.disconnect()
await redis.stop()
printTable(lines)

/** Share, refusals, requests, most sent and most arrived in any second, scripts and CPU milliseconds for each request. */
function figures(result: Result): string[] {
  const sends = sendsOf(result)
  const spanMs = (sends.at(-1) ?? 0) - (sends[0] ?? 0)
  const each = (of: (done: Result['done'][number]) => number) =>
    (result.done.reduce((sum, done) => sum + of(done), 0) / sends.length).toFixed(2)
  const { arrivals, refusals } = result.server
  return [
    (((sends.length - 1 - refusals.length) * 1_000) / spanMs / limit).toFixed(3),
    String(refusals.length),
    String(arrivals.length),
    String(mostInASecond(sends)),
    String(mostInASecond(arrivals)),
    each((done) => done.scripts),
    each((done) => done.cpuMs),
  ]
}
