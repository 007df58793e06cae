// What part of a limit is used, and how often a service that counts strictly refuses: 1, 2 and 4 processes, answers fast, slow and
// held up on the way. Run by hand: node bench/limits.ts [seconds] [processes] [margin in ms]

import { type CrewOptions, mostInASecond, type Result, sendsOf, startCrew } from '#test/support/limits/crew.ts'
import { startRedis } from '#test/support/redis-server.ts'

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

/** Another limiter is another line here: who sends, and by what. */
const limiters: Record<string, (redisUrl: string) => Pick<CrewOptions, 'redisUrl'>> = {
  'this process': () => ({ redisUrl: null }),
  'slots in Redis': (redisUrl) => ({ redisUrl }),
}

const redis = await startRedis()
if (!redis) throw new Error('There is no redis-server on the PATH.')
console.log(
  `limit ${limit}, margin ${marginMs} ms, ${seconds} s each; share is of the limit, from the first send to the last`,
)
console.log(
  line(['limiter', 'answers', 'processes', 'share', 'refused', 'of', 'sent/s', 'arrived/s', 'scripts', 'CPU ms']),
)
for (const [limiter, by] of Object.entries(limiters))
  for (const [answers, weather] of Object.entries(weathers))
    for (const processes of limiter === 'this process' ? [1] : crews) {
      const crew = await startCrew({ ...weather, ...by(redis.url), processes, limit, marginMs, atOnce: 30 })
      await new Promise((resolve) => setTimeout(resolve, seconds * 1_000))
      console.log(line([limiter, answers, String(processes), ...figures(await crew.end())]))
    }
await redis.stop()

/** Share, refusals, requests, most sent and most arrived in any second, scripts and CPU milliseconds for each request. */
function figures(result: Result): string[] {
  const sends = sendsOf(result)
  const spanMs = (sends.at(-1) ?? 0) - (sends[0] ?? 0)
  const each = (of: (done: Result['done'][number]) => number) =>
    (result.done.reduce((sum, done) => sum + of(done), 0) / sends.length).toFixed(2)
  const { arrivals, refusals } = result.server
  return [
    (((sends.length - 1) * 1_000) / spanMs / limit).toFixed(3),
    String(refusals.length),
    String(arrivals.length),
    String(mostInASecond(sends)),
    String(mostInASecond(arrivals)),
    each((done) => done.scripts),
    each((done) => done.cpuMs),
  ]
}

function line(cells: string[]): string {
  const widths = [16, 29, 10, 7, 8, 6, 7, 10, 8, 7]
  return cells.map((cell, i) => (i < 2 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0))).join('')
}
