// Measures what share of the limit is used, and how often a strict service refuses, if requests take unevenly long to
// reach it. Gate, slots and HTTP client are those of a worker; the service runs in a process of its own.
// Run by hand: node bench/uneven-way.ts [seconds=300] [processes=1,2] [ways=even,jitter,late,slow]

import { Redis } from 'ioredis'
import { maxInWindow, type Result, startSenders } from '#test/support/limits/sender-processes.ts'
import type { StrictOptions } from '#test/support/limits/strict-server.ts'
import { startRedis } from '#test/support/redis-server.ts'
import { numbersOf, textsOf } from './parts/arguments.ts'
import { printTable } from './parts/table.ts'

const limit = 60
const firstSeconds = 12
const [seconds = 300] = numbersOf('seconds', [300])

const answerMs = 5
const ways: Record<string, { name: string; server: Omit<StrictOptions, 'limit'> }> = {
  even: { name: 'even', server: { answerMs } },
  jitter: { name: '0 to 60 ms longer', server: { answerMs, way: { jitterMs: 60 } } },
  late: { name: 'a tenth 60 ms longer', server: { answerMs, way: { jitterMs: 60, lateShare: 0.1 } } },
  slow: { name: 'even, answers after 50 to 350 ms', server: { answerMs: [50, 350] } },
}

const redis = await startRedis()
if (!redis) throw new Error('There is no redis-server on the PATH.')
const cleaner = new Redis(redis.url)
const lines = [
  [
    'way',
    'processes',
    'share',
    `of the first ${firstSeconds} s`,
    'refused',
    'requests',
    'in 1,000',
    'max arrived/s',
    'most late',
  ],
]
for (const way of textsOf('ways') ?? Object.keys(ways))
  for (const processes of numbersOf('processes', [1])) {
    const chosen = ways[way]
    if (!chosen) throw new Error(`There is no way called ${way}.`)
    // Removes what the previous measurement stored, so that it does not affect this one.
    await cleaner.flushall()
    const senders = await startSenders({
      processes,
      redisUrl: processes > 1 ? redis.url : null,
      limit,
      marginMs: 20,
      maxConcurrent: 30,
      server: { limit, ...chosen.server },
    })
    await new Promise((resolve) => setTimeout(resolve, seconds * 1_000))
    lines.push([chosen.name, String(processes), ...figures(await senders.end())])
    process.stderr.write(`${lines.at(-1)?.join('  ')}\n`)
  }
cleaner.disconnect()
await redis.stop()
printTable(lines)

/** `most late` is the longest time for which the machine blocked one of the processes, beside the way. */
function figures({ done, server: { arrivals, refusals, maxEventLoopDelayMs } }: Result): string[] {
  const [first = 0] = arrivals
  const share = (toMs: number) => {
    const count = (times: readonly number[]) => times.filter((at) => at < first + toMs).length
    return ((count(arrivals) - count(refusals)) * 1_000) / toMs / limit
  }
  const delays = [maxEventLoopDelayMs, ...done.map(({ maxEventLoopDelayMs: ms = 0 }) => ms)]
  return [
    share((arrivals.at(-1) ?? 0) - first).toFixed(3),
    share(firstSeconds * 1_000).toFixed(3),
    String(refusals.length),
    String(arrivals.length),
    ((refusals.length * 1_000) / arrivals.length).toFixed(2),
    String(maxInWindow(arrivals)),
    `${Math.round(Math.max(...delays))} ms`,
  ]
}
