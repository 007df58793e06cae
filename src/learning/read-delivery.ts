// What a delivery says: events about learners and courses, and what in it needs a person. Pure.

import type { WebhookSettings, XapiSettings } from '#config/system-settings.ts'
import { parseEventBody } from '#src/events/event-body.ts'
import { isPossible } from '#src/events/event-instant.ts'
import { idText } from '#src/events/event-text.ts'
import { mapEvents } from '#src/events/map-events.ts'
import { completionOf, completionVerbs } from '#src/xapi/completion.ts'
import type { JsonObject } from '#src/xapi/json.ts'
import { accountName, isAccountOf } from './account.ts'

/** Somebody completed something, says a sender who may be wrong. */
export interface Hint {
  /** At least one of them. */
  learner: { id?: string; idnumber?: string; email?: string }
  course: string
  at: Date | null
  /** Column to text. */
  fields: Readonly<Record<string, string>>
}

export interface ReadDelivery {
  hints: Hint[]
  /** A sentence without values; null when all of it was understood. */
  problem: string | null
}

export function readDelivery(
  settings: WebhookSettings | XapiSettings,
  delivery: { body: Buffer; arrivedAt: Date },
): ReadDelivery {
  const parsed = parseEventBody(delivery.body)
  if (!parsed.ok) return { hints: [], problem: parsed.why }
  return settings.type === 'xapi'
    ? readStatement(settings, parsed.value as JsonObject, delivery.arrivedAt)
    : readEvents(settings, parsed.value, delivery.arrivedAt)
}

function readEvents({ map }: WebhookSettings, body: unknown, arrivedAt: Date): ReadDelivery {
  const { events, strange } = mapEvents(map, body, arrivedAt)
  const [first] = strange
  if (!first) return { hints: events, problem: null }
  const more = strange.length > 1 ? ` (${strange.length} events of this body)` : ''
  return { hints: events, problem: `${first.why}${more}` }
}

function readStatement(settings: XapiSettings, statement: JsonObject, arrivedAt: Date): ReadDelivery {
  const { activityTypes, course } = settings
  const rule = { verbs: Object.values(completionVerbs), activityTypes, coursePointer: course ?? null }
  const told = completionOf(statement, rule)
  if (told?.kind === 'voiding')
    return {
      hints: [],
      problem: `The statement ${told.voids} was voided. If somebody has a credential because of it, a person decides: credsync revoke.`,
    }
  if (!told) return { hints: [], problem: null }
  const { learner, at } = told
  if (learner.kind !== 'account' && learner.kind !== 'mbox')
    return {
      hints: [],
      problem: `The learner is named by ${learner.kind}, by which nobody can be found; have the sender name an account or an e-mail address.`,
    }
  if (!isAccountOf(settings, learner))
    return {
      hints: [],
      problem:
        'The learner has an account of another system than the one that `homePage` names; correct it, or let this one be.',
    }
  const [value, named] = [idText(accountName(settings, learner)), idText(told.course)]
  if (value === undefined || named === undefined)
    return {
      hints: [],
      problem: 'The learner or the course has a name that is longer than any id, or has marks that no text has.',
    }
  // Whoever is asked says when; nobody else would notice a course that was completed in the year 2996.
  if (settings.confirm === undefined && at !== null && !isPossible(at, arrivedAt))
    return {
      hints: [],
      problem: 'The statement says that it happened before 1990, or days ahead; look at the clock of the sender.',
    }
  const who = learner.kind === 'mbox' ? { email: value } : { id: value }
  return { hints: [{ learner: who, course: named, at, fields: {} }], problem: null }
}
