// Measures what share of a limit is used and how often a strict service refuses: with 1, 2 and 4 processes and with
// fast, slow and delayed responses, compared with other limiters.
// Run by hand: node bench/limits.ts [seconds] [processes] [margin in ms] [ours|all|part of a limiter's name]

import { join } from 'node:path'
import { Redis } from 'ioredis'
import {
  maxInWindow,
  type Result,
  type SendersOptions,
  sendsOf,
  startSenders,
} from '#test/support/limits/sender-processes.ts'
import { startRedis } from '#test/support/redis-server.ts'
import { type OtherOrders, otherLimiters } from './parts/other-sender.ts'
import { printTable } from './parts/table.ts'

const seconds = Number(process.argv[2] ?? 20)
const processCounts = (process.argv[3] ?? '1,2,4').split(',').map(Number)
const marginMs = Number(process.argv[4] ?? 20)
const limit = 60

type Weather = Pick<SendersOptions, 'server' | 'jitterMs' | 'stallMs'>
const weathers: Record<string, Weather> = {
  'fast, 5 ms': { server: { limit, answerMs: 5 } },
  'slow, 50 to 350 ms': { server: { limit, answerMs: [50, 350] } },
  'fast, 0 to 60 ms on the way': { server: { limit, answerMs: 5 }, jitterMs: 60 },
  'fast, stalls of 60 ms': { server: { limit, answerMs: 5 }, stallMs: 60 },
}

type Sender = Pick<SendersOptions, 'redisUrl' | 'sender'> & Partial<Pick<OtherOrders, 'limiter'>>
const ours: Record<string, (redisUrl: string) => Sender> = {
  'this process': () => ({ redisUrl: null }),
  'slots in Redis': (redisUrl) => ({ redisUrl }),
}
const sender = join(import.meta.dirname, 'parts/other-sender.ts')
const others = Object.fromEntries(
  otherLimiters.map((limiter) => [limiter, (redisUrl: string): Sender => ({ redisUrl, sender, limiter })]),
)

const choice = process.argv[5] ?? 'all'
const wanted =
  choice === 'ours'
    ? Object.entries(ours)
    : Object.entries({ ...ours, ...others }).filter(([limiter]) => choice === 'all' || limiter.includes(choice))

const redis = await startRedis()
if (!redis) throw new Error('There is no redis-server on the PATH.')
console.log(
  `limit ${limit}, margin ${marginMs} ms, ${seconds} s each; share: the used part of the limit, counting only requests that were not refused, from the first send to the last`,
)
const cleaner = new Redis(redis.url)
const lines = [
  [
    'limiter',
    'answers',
    'processes',
    'share',
    'refused',
    'requests',
    'max sent/s',
    'max arrived/s',
    'scripts/request',
    'CPU ms/request',
  ],
]
for (const [limiter, senderFor] of wanted)
  for (const [answers, weather] of Object.entries(weathers))
    for (const processes of limiter === 'this process' ? [1] : processCounts) {
      // Removes what the previous measurement stored, so that it does not affect this one.
      await cleaner.flushall()
      const orders = { ...weather, ...senderFor(redis.url), processes, limit, marginMs, maxConcurrent: 30 }
      const senders = await startSenders(orders)
      await new Promise((resolve) => setTimeout(resolve, seconds * 1_000))
      const line = [limiter, answers, String(processes), ...figures(await senders.end())]
      lines.push(line)
      // All measurements together take 15 minutes, so each result is printed as soon as it is available.
      process.stderr.write(`${line.join('  ')}\n`)
    }
cleaner.disconnect()
await redis.stop()
printTable(lines)

/**
 * Returns the used share of the limit, refusals, requests, the maximum sent and received in any second, and scripts and
 * CPU milliseconds per request.
 */
function figures(result: Result): string[] {
  const sends = sendsOf(result)
  const spanMs = (sends.at(-1) ?? 0) - (sends[0] ?? 0)
  const perRequest = (figureOf: (done: Result['done'][number]) => number) =>
    (result.done.reduce((sum, done) => sum + figureOf(done), 0) / sends.length).toFixed(2)
  const { arrivals, refusals } = result.server
  return [
    (((sends.length - 1 - refusals.length) * 1_000) / spanMs / limit).toFixed(3),
    String(refusals.length),
    String(arrivals.length),
    String(maxInWindow(sends)),
    String(maxInWindow(arrivals)),
    perRequest((done) => done.scripts),
    perRequest((done) => done.cpuMs),
  ]
}
