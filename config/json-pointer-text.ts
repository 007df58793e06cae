// A setting that says where something stands in a JSON document: a JSON Pointer such as /user/id.

import { z } from 'zod'
import { pointerForm } from '#src/json/json-pointer.ts'

export const jsonPointer = z
  .string()
  .regex(pointerForm, 'is not a JSON Pointer, such as /user/id; inside of a name ~ is written ~0 and / is written ~1')

/** Where an event is one of several in a body, `#` in front counts from the root of the body instead of the event. */
export const eventPointer = z
  .string()
  .regex(
    new RegExp(pointerForm.source.replace('^', '^#?')),
    'is not a JSON Pointer, such as /user/id, nor one from the root of the body, such as #/event',
  )
