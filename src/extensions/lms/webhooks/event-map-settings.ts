// The settings schema for mapping an event: JSON Pointers into its body that locate who completed which course, and
// when. Pure.

import { z } from 'zod'
import { type EventPreset, eventPresets, type KnownEvents } from './event-presets.ts'
import type { EventTimeFormat } from './event-time.ts'
import { eventPointer, jsonPointer } from './json-pointer-schema.ts'

const learner = z.union(
  [
    eventPointer,
    z
      .strictObject({
        id: eventPointer.optional().describe("The learner's id in the sending system."),
        idnumber: eventPointer.optional().describe("The learner's number in the student information system."),
        email: eventPointer.optional().describe("The learner's e-mail address."),
      })
      .refine((given) => Object.values(given).some((entry) => entry !== undefined), {
        error: 'names none of id, idnumber and email',
      }),
  ],
  { error: 'is neither a JSON Pointer nor { id: …, idnumber: …, email: … } with at least one of them' },
)

const completedAt = z.union(
  [
    eventPointer,
    z.strictObject({
      pointer: eventPointer.describe('The location of the time.'),
      format: z.enum(['iso', 'epoch-seconds', 'epoch-ms']).default('iso').describe('The format of the time.'),
    }),
  ],
  { error: 'is neither a JSON Pointer nor { pointer: …, format: iso | epoch-seconds | epoch-ms }' },
)

const mapSettings = z.strictObject({
  preset: z
    .enum(Object.keys(eventPresets) as [EventPreset, ...EventPreset[]])
    .optional()
    .describe('The known pointers for a system. Settings next to the preset override it.'),
  list: z
    .union([jsonPointer, z.array(jsonPointer).min(1)])
    .optional()
    .describe(
      'The location of the array of events, if a body contains several. Multiple locations are tried in order, and an object in place of the array is one event. An empty string means that the body itself is the array. If omitted, the body is one event.',
    ),
  type: eventPointer
    .optional()
    .describe(
      'The location of the event name. Like all pointers below, it is relative to the event; with # in front, such as #/event, it is relative to the root of the body.',
    ),
  accept: z
    .array(z.string().min(1))
    .min(1)
    .optional()
    .describe('The event names that are processed. Other events are ignored.'),
  id: eventPointer.optional().describe('The location of the id of the event, if it has one.'),
  deliveryId: jsonPointer
    .optional()
    .describe('The location of the id of the whole body, if it has one: a second body with the same id is dropped.'),
  volatile: z
    .array(jsonPointer)
    .default([])
    .describe(
      'Members that change when the same body is sent again. They are ignored when repeated events are detected by content.',
    ),
  learner: learner
    .optional()
    .describe(
      'Who completed the course: a pointer to the id, or `{ id, idnumber, email }`. Required unless the preset has it.',
    ),
  course: eventPointer.optional().describe('The completed course. Required unless the preset has it.'),
  completedAt: completedAt
    .optional()
    .describe(
      'The time of completion: a pointer to an ISO 8601 time (UTC if it has no zone), or `{ pointer, format }` with iso, epoch-seconds or epoch-ms.',
    ),
  fields: z.record(z.string().min(1), eventPointer).default({}).describe('Column → location of its value.'),
  ignoreUnless: z
    .record(eventPointer, z.union([z.string(), z.number(), z.boolean()]))
    .default({})
    .describe('Process only events that have these values, such as `/is_passing: true`. Other events are ignored.'),
})

/** The input of mapEvents, with presets applied. The schema has validated the pointers. */
export interface EventMap {
  list?: readonly string[] | undefined
  type?: string | undefined
  accept?: readonly string[] | undefined
  id?: string | undefined
  deliveryId?: string | undefined
  volatile: readonly string[]
  learner: { id?: string | undefined; idnumber?: string | undefined; email?: string | undefined }
  course: string
  completedAt?: { pointer: string; format: EventTimeFormat } | undefined
  fields: Readonly<Record<string, string>>
  ignoreUnless: Readonly<Record<string, string | number | boolean>>
}

export const eventMapSchema = mapSettings
  .transform(({ preset, ...own }, context): EventMap => {
    const known: Partial<KnownEvents> = preset ? eventPresets[preset] : {}
    const all: Omit<z.output<typeof mapSettings>, 'preset'> = {
      ...known,
      ...own,
      fields: { ...known.fields, ...own.fields },
      ignoreUnless: { ...known.ignoreUnless, ...own.ignoreUnless },
    }
    const missing = (path: string, message: string) => context.addIssue({ code: 'custom', path: [path], message })
    for (const name of ['learner', 'course'] as const)
      if (all[name] === undefined) missing(name, 'is missing: without it, an event identifies no completion')
    if ((all.type === undefined) !== (all.accept === undefined))
      missing(
        all.type === undefined ? 'type' : 'accept',
        'is missing: type is the location of the event name, and accept lists the names that are processed',
      )
    const { list, learner: who = {}, course = '', completedAt: when } = all
    return {
      ...all,
      list: list === undefined ? undefined : [list].flat(),
      learner: typeof who === 'string' ? { id: who } : who,
      course,
      completedAt: typeof when === 'string' ? { pointer: when, format: 'iso' } : when,
    }
  })
  .describe('How to read an event.')
