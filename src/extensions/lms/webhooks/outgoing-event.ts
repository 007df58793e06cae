// Builds the events that report the outcome of an issuance, in the envelope of Standard Webhooks (type, timestamp,
// data). Pure.

export type OutgoingKind = 'issued' | 'rejected' | 'failed' | 'held' | 'revoked'

/**
 * The data that every event has. It contains only ids: a receiver that needs a name or an e-mail address finds it in
 * the system that the learner comes from.
 */
interface CommonFacts {
  /** When the issuance reached this state. */
  at: Date
  environment: 'development' | 'production'
  pipeline: string
  issuance: string
  /** The learner's id in the source system. */
  learner?: { id: string }
  course?: string
  completedAt?: Date
}

interface Reason {
  /** For programs: short and stable. */
  code: string
  /** For people, without names or values. */
  sentence: string
}

export interface OutgoingFacts {
  issued: CommonFacts & { credentialId: string; link?: string }
  rejected: CommonFacts & { reason: Reason }
  failed: CommonFacts & { reason: Reason }
  held: CommonFacts & { reason: Reason }
  revoked: CommonFacts & { credentialId: string }
}

export interface OutgoingEvent {
  type: `credential.${OutgoingKind}`
  timestamp: string
  data: Record<string, unknown>
}

/**
 * Returns the body of an outgoing event; JSON.stringify omits undefined members. Members may be added over time, but
 * never changed.
 */
export function outgoingEvent<Kind extends OutgoingKind>(kind: Kind, facts: OutgoingFacts[Kind]): OutgoingEvent {
  const anyFacts: CommonFacts & { credentialId?: string; link?: string; reason?: Reason } = facts
  return {
    type: `credential.${kind}`,
    timestamp: anyFacts.at.toISOString(),
    data: {
      environment: anyFacts.environment,
      pipeline: anyFacts.pipeline,
      issuance: anyFacts.issuance,
      learner: anyFacts.learner && { id: anyFacts.learner.id },
      course: anyFacts.course,
      completedAt: anyFacts.completedAt?.toISOString(),
      credentialId: anyFacts.credentialId,
      link: anyFacts.link,
      reason: anyFacts.reason && { code: anyFacts.reason.code, sentence: anyFacts.reason.sentence },
    },
  }
}

const allKinds: readonly OutgoingKind[] = ['issued', 'rejected', 'failed', 'held', 'revoked']

/**
 * Each member of the body: its path, its meaning, the events that may have it, and whether it is always present.
 * docs/events.md shows this table.
 */
export const outgoingMembers: readonly {
  member: string
  holds: string
  in: readonly OutgoingKind[]
  always: boolean
}[] = [
  { member: 'type', holds: '`credential.` and one of the five kinds', in: allKinds, always: true },
  { member: 'timestamp', holds: 'when the issuance got this outcome, ISO 8601 in UTC', in: allKinds, always: true },
  { member: 'data.environment', holds: '`development` or `production`', in: allKinds, always: true },
  { member: 'data.pipeline', holds: 'name of the pipeline', in: allKinds, always: true },
  {
    member: 'data.issuance',
    holds: 'id of the issuance, such as `i42`, as `credsync explain` takes it',
    in: allKinds,
    always: true,
  },
  { member: 'data.learner.id', holds: "the learner's id in the source system", in: allKinds, always: false },
  { member: 'data.course', holds: 'the course as the source system names it', in: allKinds, always: false },
  { member: 'data.completedAt', holds: 'when the course was completed, ISO 8601 in UTC', in: allKinds, always: false },
  { member: 'data.credentialId', holds: "the service's id of the credential", in: ['issued', 'revoked'], always: true },
  {
    member: 'data.link',
    holds: 'public link of the certificate; only with `options: { publicLink: true }` in the pipeline',
    in: ['issued'],
    always: false,
  },
  {
    member: 'data.reason.code',
    holds: '`rejected`, `failed` or `held`',
    in: ['rejected', 'failed', 'held'],
    always: true,
  },
  {
    member: 'data.reason.sentence',
    holds: 'the reason, as a sentence for people',
    in: ['rejected', 'failed', 'held'],
    always: true,
  },
]
