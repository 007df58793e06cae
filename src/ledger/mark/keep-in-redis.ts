// Keeps the high-water mark in Redis, where all workers of a ledger share it. Calls Redis.

import type { HighWaterMark } from '#src/domain/credential/high-water-mark.ts'
import type { RunScript, Script } from '#src/platform/redis/open-redis.ts'
import { type MarkKeeper, readMarks, type StoredMarks } from './keeper.ts'

const readScript: Script = { name: 'read the mark', lua: "return redis.call('GET', KEYS[1])" }

const putScript: Script = { name: 'put the mark', lua: "return redis.call('SET', KEYS[1], ARGV[1])" }

/**
 * KEYS: the mark. ARGV: the new mark, its era and its number. An unreadable value is left unchanged, so that an
 * operator can inspect it.
 */
const raiseScript: Script = {
  name: 'raise the mark',
  lua: `
local was = redis.call('GET', KEYS[1])
if was then
  local ok, old = pcall(cjson.decode, was)
  if not ok or type(old) ~= 'table' or type(old.era) ~= 'number' or type(old.number) ~= 'number' then return was end
  local era, number = tonumber(ARGV[2]), tonumber(ARGV[3])
  if old.era > era or (old.era == era and old.number >= number) then return was end
end
redis.call('SET', KEYS[1], ARGV[1])
return was`,
}

export function keepInRedis(
  run: RunScript,
  { ledger, environment }: { ledger: string; environment: string },
): MarkKeeper {
  const keys = [`credsync-${ledger}-${environment}:mark`]
  const storedMarks = (answer: unknown): StoredMarks =>
    typeof answer === 'string' ? readMarks(answer) : { marks: [], isUnreadable: false }
  return {
    where: 'Redis',
    read: async () => storedMarks(await run(readScript, keys, [])),
    raise: async (mark: HighWaterMark) =>
      storedMarks(await run(raiseScript, keys, [JSON.stringify(mark), mark.era, mark.number])),
    put: async (mark) => void (await run(putScript, keys, [JSON.stringify(mark)])),
  }
}
