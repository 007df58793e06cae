// The steps of a shared token in Redis, each a script that runs whole or not at all. One hash holds all there is of an account:
// the last turn and until when it holds, the sealed token with the turn that made it and when, and the sealed refresh token.

/** What this room needs of a connection to Redis. May reject; what it did is then unknown. */
export type RunScript = (
  script: { name: string; lua: string },
  keys: readonly string[],
  args: readonly (string | number)[],
) => Promise<unknown>

// Times are Redis's own, and no other machine's clock meets them. A jump of that clock costs at most one token call: ages are capped where
// they are read, and a turn that holds for longer than a lease is none.
const now = `local t = redis.call('TIME')
local now = t[1] * 1000 + math.floor(t[2] / 1000)`

// As long as a refresh token can live (service's documentation: 30 days). With it goes the last trace.
const keptMs = 30 * 24 * 3_600_000

/** ARGV: name of the turn asked for, `made` of the token that is known, lease in ms. */
export const takeScript = {
  name: 'take token turn',
  lua: `${now}
local h = redis.call('HMGET', KEYS[1], 'until', 'made', 'born', 'access', 'refresh')
local ends = tonumber(h[1] or '0') or 0
if ends > now and ends <= now + ARGV[3] then return {'wait'} end
if h[2] and h[2] ~= ARGV[2] then return {'token', now, h[2], h[3] or '0', h[4] or ''} end
redis.call('HDEL', KEYS[1], 'refresh')
redis.call('HSET', KEYS[1], 'turn', ARGV[1], 'until', now + ARGV[3])
redis.call('PEXPIRE', KEYS[1], ${keptMs})
return {'turn', now, h[2] or '', h[5] or ''}`,
}

/** ARGV: name of the turn, lease in ms; 0 ends it. */
export const keepScript = {
  name: 'keep token turn',
  lua: `${now}
if redis.call('HGET', KEYS[1], 'turn') ~= ARGV[1] then return 0 end
redis.call('HSET', KEYS[1], 'until', now + ARGV[2])
return 1`,
}

/** ARGV: name of the turn, when the token was born, sealed token, sealed refresh token or nothing. */
export const putScript = {
  name: 'put token',
  lua: `local turn = redis.call('HGET', KEYS[1], 'turn')
-- A turn that lapsed is good as long as nobody had one since, and so is one that an emptied Redis forgot.
if turn and turn ~= ARGV[1] then return 0 end
redis.call('HDEL', KEYS[1], 'refresh')
redis.call('HSET', KEYS[1], 'turn', ARGV[1], 'until', 0, 'made', ARGV[1], 'born', ARGV[2], 'access', ARGV[3])
if ARGV[4] ~= '' then redis.call('HSET', KEYS[1], 'refresh', ARGV[4]) end
redis.call('PEXPIRE', KEYS[1], ${keptMs})
return 1`,
}
