// The two Lua scripts of a shared limit: one assigns the next slots, and one records a refusal. Both use Redis's own
// clock, in microseconds.

import { maxDebtMs, widening } from './pace.ts'
import { maxStepMs, repeatedMs, soonMs } from './pauses.ts'

/**
 * No slot is assigned farther ahead than this; the caller must try again later. A log entry beyond this limit was
 * written while Redis's clock was ahead.
 */
export const horizonMs = 3_000

/** How long an idle limit is remembered; after that, the first request waits a second. */
const rememberedMs = 86_400_000

/** How long a process with a lower limit is remembered by the others. */
const lowestForMs = 60_000

/** How long the margin of a process that needs a wider one applies to the others. */
const widestForMs = 5_000

const micro = (ms: number) => String(Math.round(ms * 1_000))

// KEYS: the log of assigned slots (members and scores are their times), and its state: due, since and until of the last
// pause, wide and wideAt of the widened margin, low and lowAt of the lowest limit, far and farAt of the widest window.
const commonLua = `
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local text = function(number) return string.format('%.0f', number) end
local state = redis.call('HMGET', KEYS[2], 'due', 'since', 'until', 'wide', 'wideAt', 'low', 'lowAt', 'far', 'farAt')
local due, since, untilTime = tonumber(state[1] or ''), tonumber(state[2] or ''), tonumber(state[3] or '')
local wide, wideAt = tonumber(state[4] or '0'), tonumber(state[5] or '0')
wide = math.max(0, wide - math.max(0, now - wideAt) / 1000000 * ${micro(widening.backPerSecondMs)})
local remember = function()
  redis.call('PEXPIRE', KEYS[1], ${rememberedMs})
  redis.call('PEXPIRE', KEYS[2], ${rememberedMs})
end
local paused = since and since <= now and now < untilTime
`

/**
 * ARGV: limit, window and lead (microseconds until the answer arrives), how many slots are wanted, then the unused
 * slots to return. Returns `[now, 0, lowest limit, slot …]` with at least one slot, `[now, 1, rest of the pause]` or
 * `[now, 2, wait before trying again]`.
 */
export const nextSlots = {
  name: 'next slots',
  lua: `${commonLua}
local limit, window, lead, count = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])

local low, lowAt = tonumber(state[6] or ''), tonumber(state[7] or '0')
if not low or limit <= low or lowAt > now or now - lowAt > ${micro(lowestForMs)} then
  low, lowAt = limit, now
end
limit = low
local far, farAt = tonumber(state[8] or ''), tonumber(state[9] or '0')
if not far or window >= far or farAt > now or now - farAt > ${micro(widestForMs)} then
  far, farAt = window, now
end
window = far + wide
local spacing = window / limit

-- The time of a returned slot may be assigned again.
for i = 5, #ARGV do
  if redis.call('ZREM', KEYS[1], ARGV[i]) == 1 and due then due = due - spacing end
end

if paused then
  if due then redis.call('HSET', KEYS[2], 'due', text(due)) end
  return {now, 1, untilTime - now}
end

local last = tonumber(redis.call('ZRANGE', KEYS[1], -1, -1)[1] or '')
if last and last > now + ${micro(horizonMs)} then
  redis.call('DEL', KEYS[1])
  redis.call('HDEL', KEYS[2], 'due', 'since', 'until')
  due, last = nil, nil
end

-- A server that evicts keys may lose one of the two keys. Only the log shows what was sent.
due = last and (due or last)

-- A pause is no delay that may be made up for.
if due and since and since <= now then due = math.max(due, untilTime) end

local answer = {now, 0, low}
for i = 1, count do
  local turn, slot
  if due then
    turn = math.max(due + spacing, now - ${micro(maxDebtMs)})
    slot = math.max(turn, now + lead)
    if last then slot = math.max(slot, last + spacing / 2) end
    local oldest = tonumber(redis.call('ZRANGE', KEYS[1], -limit, -limit)[1] or '')
    if oldest then slot = math.max(slot, oldest + window) end
  else
    -- It is unknown what was sent in the last second.
    turn = now + window
    slot = turn
  end
  slot = math.ceil(slot)
  if slot > now + ${micro(horizonMs)} then
    if i == 1 then answer = {now, 2, slot - now - window} end
    break
  end
  redis.call('ZADD', KEYS[1], text(slot), text(slot))
  answer[#answer + 1] = slot
  due, last = turn, slot
end

-- At least 60 entries are kept, for processes with a higher limit.
redis.call('ZREMRANGEBYRANK', KEYS[1], 0, -1 - math.max(60, tonumber(ARGV[1])))
if due then
  redis.call('HSET', KEYS[2], 'due', text(due), 'low', low, 'lowAt', text(lowAt), 'far', far, 'farAt', text(farAt))
end
remember()
return answer
`,
}

/**
 * ARGV: milliseconds, 1 if the service named them, how many milliseconds ago the refused request was sent, and by how
 * many milliseconds the margin is widened. See isOfSameBurst, longerPause and widen. Returns the rest of the pause in
 * microseconds.
 */
export const notePause = {
  name: 'note a pause',
  lua: `${commonLua}
local length, asked, sent = tonumber(ARGV[1]) * 1000, ARGV[2] == '1', now - tonumber(ARGV[3]) * 1000
if paused or since and since <= now and sent <= since then
  if asked and now + length > untilTime then
    untilTime = now + length
    redis.call('HSET', KEYS[2], 'until', text(untilTime))
  end
  return math.max(0, untilTime - now)
end
local before = since and since <= now and untilTime - since or 0
if not asked and before > 0 and now - untilTime < math.max(${micro(soonMs)}, before) then
  length = math.max(length, ${micro(repeatedMs)}, math.min(${micro(maxStepMs)}, 2 * before))
end
wide = math.min(${micro(widening.maxMs)}, wide + tonumber(ARGV[4]) * 1000)
redis.call('HSET', KEYS[2], 'since', text(now), 'until', text(now + length), 'wide', text(wide), 'wideAt', text(now))
remember()
return length
`,
}
