// What an event says, by JSON Pointers into its body: who completed which course, and when.

import { z } from 'zod'
import { type EventPreset, eventPresets, type KnownEvents } from './event-presets.ts'
import { eventPointer, jsonPointer } from './json-pointer-text.ts'

const learner = z.union(
  [
    eventPointer,
    z
      .strictObject({
        id: eventPointer.optional().describe("The learner's id in the system that sends."),
        idnumber: eventPointer.optional().describe("The learner's number in the student system."),
        email: eventPointer.optional().describe("The learner's e-mail address."),
      })
      .refine((given) => Object.values(given).some((each) => each !== undefined), {
        error: 'names none of id, idnumber and email',
      }),
  ],
  { error: 'is neither a JSON Pointer nor { id: …, idnumber: …, email: … } with at least one of them' },
)

const completedAt = z.union(
  [
    eventPointer,
    z.strictObject({
      pointer: eventPointer.describe('Where the time stands.'),
      format: z.enum(['iso', 'epoch-seconds', 'epoch-ms']).default('iso').describe('How it is written.'),
    }),
  ],
  { error: 'is neither a JSON Pointer nor { pointer: …, format: iso | epoch-seconds | epoch-ms }' },
)

const written = z.strictObject({
  preset: z
    .enum(Object.keys(eventPresets) as [EventPreset, ...EventPreset[]])
    .optional()
    .describe('Pointers that are known to fit a system. What is written beside it counts more.'),
  list: z
    .union([jsonPointer, z.array(jsonPointer).min(1)])
    .optional()
    .describe(
      'Where the array of events stands when one body holds several; several places are tried in turn, and an object there is one event. An empty text means that the body itself is the array. Left out, the body is one event.',
    ),
  type: eventPointer
    .optional()
    .describe(
      'Where the name of the event stands. Like all that follow, it counts from the event; with # in front, such as #/event, from the root of the body.',
    ),
  accept: z.array(z.string().min(1)).min(1).optional().describe('The names that are taken. Other events are ignored.'),
  id: eventPointer.optional().describe('Where an id of the event stands, if it has one.'),
  deliveryId: jsonPointer
    .optional()
    .describe('Where an id of the whole body stands, if it has one: the same id a second time is dropped.'),
  volatile: z
    .array(jsonPointer)
    .default([])
    .describe(
      'Members that change when the same body is sent again. They do not count where a repeat is recognised by content.',
    ),
  learner: learner
    .optional()
    .describe('Who completed: a pointer to the id, or `{ id, idnumber, email }`. Needed unless the preset has it.'),
  course: eventPointer.optional().describe('Which course. Needed unless the preset has it.'),
  completedAt: completedAt
    .optional()
    .describe(
      'When: a pointer to an ISO 8601 time (without a zone it is UTC), or `{ pointer, format }` with iso, epoch-seconds or epoch-ms.',
    ),
  fields: z.record(z.string().min(1), eventPointer).default({}).describe('Column → where its value stands.'),
  ignoreUnless: z
    .record(eventPointer, z.union([z.string(), z.number(), z.boolean()]))
    .default({})
    .describe('Take only events that have these values, such as `/is_passing: true`. Others are ignored.'),
})

/** What mapEvents is told, a preset already filled in. Pointers are texts that this schema has checked. */
export interface EventMap {
  list?: readonly string[]
  type?: string
  accept?: readonly string[]
  id?: string
  deliveryId?: string
  volatile: readonly string[]
  learner: { readonly id?: string; readonly idnumber?: string; readonly email?: string }
  course: string
  completedAt?: { readonly pointer: string; readonly format: 'iso' | 'epoch-seconds' | 'epoch-ms' }
  fields: Readonly<Record<string, string>>
  ignoreUnless: Readonly<Record<string, string | number | boolean>>
}

export const eventMapSchema = written
  .transform((input, context): EventMap => {
    const { preset, ...own } = input
    const known: Partial<KnownEvents> = preset ? eventPresets[preset] : {}
    const given = Object.fromEntries(Object.entries(own).filter(([, value]) => value !== undefined))
    const all: Partial<z.output<typeof written>> = {
      ...known,
      ...given,
      fields: { ...known.fields, ...own.fields },
      ignoreUnless: { ...known.ignoreUnless, ...own.ignoreUnless },
    }
    const missing = (['learner', 'course'] as const).filter((name) => all[name] === undefined)
    for (const name of missing)
      context.addIssue({ code: 'custom', path: [name], message: 'is missing: nobody could be told by such an event' })
    if ((all.type === undefined) !== (all.accept === undefined))
      context.addIssue({
        code: 'custom',
        path: [all.type === undefined ? 'type' : 'accept'],
        message: 'is missing: type says where the name of an event stands, accept which names are taken',
      })
    const { learner: who = {}, course = '', completedAt: when, list, volatile = [], ...rest } = all
    const { fields = {}, ignoreUnless = {}, type, accept, id, deliveryId } = rest
    return {
      ...(list === undefined ? {} : { list: [list].flat() }),
      ...(type === undefined ? {} : { type }),
      ...(accept === undefined ? {} : { accept }),
      ...(id === undefined ? {} : { id }),
      ...(deliveryId === undefined ? {} : { deliveryId }),
      volatile,
      learner: learnerOf(who),
      course,
      ...(when === undefined
        ? {}
        : { completedAt: typeof when === 'string' ? { pointer: when, format: 'iso' as const } : when }),
      fields,
      ignoreUnless,
    }
  })
  .describe('What an event says.')

function learnerOf(given: z.output<typeof learner>): EventMap['learner'] {
  if (typeof given === 'string') return { id: given }
  return {
    ...(given.id === undefined ? {} : { id: given.id }),
    ...(given.idnumber === undefined ? {} : { idnumber: given.idnumber }),
    ...(given.email === undefined ? {} : { email: given.email }),
  }
}
