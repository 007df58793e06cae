// The schemas for settings that are JSON Pointers, such as /user/id. Pure.

import { z } from 'zod'
import { pointerPattern } from '#src/platform/json-pointer.ts'

export const jsonPointer = z
  .string()
  .regex(pointerPattern, 'is not a JSON Pointer, such as /user/id; within a name, ~ is written as ~0 and / as ~1')

/**
 * A pointer relative to the event, or, with `#` in front, relative to the root of a body that contains several events.
 */
export const eventPointer = z
  .string()
  .regex(
    new RegExp(pointerPattern.source.replace('^', '^#?')),
    'is not a JSON Pointer, neither one such as /user/id nor one from the root of the body, such as #/event',
  )
