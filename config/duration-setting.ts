// The schemas of durations and schedules in the configuration file, such as 15s.

import { z } from 'zod'
import { parseDuration } from '#src/platform/time/duration.ts'
import { parseSchedule } from '#src/platform/time/schedule.ts'

// A pattern instead of a refinement by parseDuration, because editors can check a pattern too. A test compares the two.
export const durationText = () =>
  z.string().regex(/^0*[1-9]\d{0,8}(ms|s|m|h|d)$/, 'is not a duration; write it like 250ms, 15s, 10m, 6h or 30d')

export const duration = (fallback: string) => durationText().default(fallback)

/** A duration that makes no sense outside of these bounds. Its description names them, because a pattern cannot. */
export function durationBetween(least: string, most: string) {
  const isBetween = (text: string) => {
    const ms = parseDuration(text)
    return ms === null || (ms >= (parseDuration(least) ?? 0) && ms <= (parseDuration(most) ?? 0))
  }
  return durationText().refine(isBetween, `is out of bounds; write at least ${least} and at most ${most}`)
}

export const schedule = (fallback: string) =>
  z
    .string()
    .refine(
      (text) => parseSchedule(text, 'UTC') !== null,
      'is neither a duration, such as 6h, nor a cron line of five fields with a possible time, such as 30 2 * * *',
    )
    .default(fallback)
