// Redis scripts for the shared token; each runs atomically. One hash holds everything about an account: the last turn
// and when it expires, the sealed token with its creation time and the turn that made it, and the sealed refresh token.

// All times come from Redis's clock, so the clocks of the other machines do not matter. A jump of Redis's clock costs
// at most one token call: ages are capped where they are read, and a turn that would last longer than a lease is
// ignored.
const now = `local t = redis.call('TIME')
local now = t[1] * 1000 + math.floor(t[2] / 1000)`

// The lifetime of a refresh token (service's documentation: 30 days). The whole entry expires with it.
const keptForMs = 30 * 24 * 3_600_000

/** Returns a token, a turn or "wait". ARGV: id of the requested turn, turn id of the known token, lease in ms. */
export const takeScript = {
  name: 'take token turn',
  lua: `${now}
local h = redis.call('HMGET', KEYS[1], 'until', 'made', 'born', 'access', 'refresh')
local ends = tonumber(h[1] or '0') or 0
if ends > now and ends <= now + ARGV[3] then return {'wait'} end
if h[2] and h[2] ~= ARGV[2] then return {'token', now, h[2], h[3] or '0', h[4] or ''} end
redis.call('HDEL', KEYS[1], 'refresh')
redis.call('HSET', KEYS[1], 'turn', ARGV[1], 'until', now + ARGV[3])
redis.call('PEXPIRE', KEYS[1], ${keptForMs})
return {'turn', now, h[2] or '', h[5] or ''}`,
}

/** Extends a turn. ARGV: id of the turn, lease in ms (0 ends the turn). */
export const keepScript = {
  name: 'keep token turn',
  lua: `${now}
if redis.call('HGET', KEYS[1], 'turn') ~= ARGV[1] then return 0 end
redis.call('HSET', KEYS[1], 'until', now + ARGV[2])
return 1`,
}

/**
 * Stores a token. ARGV: id of the turn, when the token was created (ms on the clock of Redis), sealed token, sealed
 * refresh token or an empty string.
 */
export const putScript = {
  name: 'put token',
  lua: `local turn = redis.call('HGET', KEYS[1], 'turn')
-- An expired turn is still valid if no other has begun since; so is a turn that is missing because Redis was emptied.
if turn and turn ~= ARGV[1] then return 0 end
redis.call('HDEL', KEYS[1], 'refresh')
redis.call('HSET', KEYS[1], 'turn', ARGV[1], 'until', 0, 'made', ARGV[1], 'born', ARGV[2], 'access', ARGV[3])
if ARGV[4] ~= '' then redis.call('HSET', KEYS[1], 'refresh', ARGV[4]) end
redis.call('PEXPIRE', KEYS[1], ${keptForMs})
return 1`,
}
