// The events that we send: what became of an issuance, in the envelope of Standard Webhooks (type, timestamp, data).

export type OutgoingKind = 'issued' | 'rejected' | 'failed' | 'held' | 'revoked'

/** What is known of every issuance. Ids only: whoever needs a name or an address has them in the system that sent the learner. */
interface AnyFacts {
  /** When it became so. */
  at: Date
  environment: 'development' | 'production'
  pipeline: string
  issuance: string
  /** As the source system told us. */
  learner?: { id: string }
  course?: string
  completedAt?: Date
}

interface Reason {
  /** For programs: short, stable. */
  code: string
  /** For people: without names or values. */
  sentence: string
}

export interface OutgoingFacts {
  issued: AnyFacts & { credentialId: string; link?: string }
  rejected: AnyFacts & { reason: Reason }
  failed: AnyFacts & { reason: Reason }
  held: AnyFacts & { reason: Reason }
  revoked: AnyFacts & { credentialId: string }
}

export interface OutgoingEvent {
  type: `credential.${OutgoingKind}`
  timestamp: string
  data: Record<string, unknown>
}

/** The body of an outgoing event; JSON.stringify leaves out what is not known. Members are added with time, never changed. */
export function outgoingEvent<Kind extends OutgoingKind>(kind: Kind, facts: OutgoingFacts[Kind]): OutgoingEvent {
  const given: AnyFacts & { credentialId?: string; link?: string; reason?: Reason } = facts
  return {
    type: `credential.${kind}`,
    timestamp: given.at.toISOString(),
    data: {
      environment: given.environment,
      pipeline: given.pipeline,
      issuance: given.issuance,
      learner: given.learner && { id: given.learner.id },
      course: given.course,
      completedAt: given.completedAt?.toISOString(),
      credentialId: given.credentialId,
      link: given.link,
      reason: given.reason && { code: given.reason.code, sentence: given.reason.sentence },
    },
  }
}

const every: readonly OutgoingKind[] = ['issued', 'rejected', 'failed', 'held', 'revoked']

/** Each member of the body: where it stands, what it is, in which events it may be, and whether it must. docs/events.md shows this table. */
export const outgoingMembers: readonly {
  member: string
  holds: string
  in: readonly OutgoingKind[]
  always: boolean
}[] = [
  { member: 'type', holds: '`credential.` and the kind', in: every, always: true },
  { member: 'timestamp', holds: 'when it became so, ISO 8601 in UTC', in: every, always: true },
  { member: 'data.environment', holds: '`development` or `production`', in: every, always: true },
  { member: 'data.pipeline', holds: 'name of the pipeline', in: every, always: true },
  {
    member: 'data.issuance',
    holds: 'id of the issuance, such as `i42`, as `credsync explain` takes it',
    in: every,
    always: true,
  },
  { member: 'data.learner.id', holds: "the learner's id in the source system", in: every, always: false },
  { member: 'data.course', holds: 'the course as the source system names it', in: every, always: false },
  { member: 'data.completedAt', holds: 'when the course was completed, ISO 8601 in UTC', in: every, always: false },
  { member: 'data.credentialId', holds: "the service's id of the credential", in: ['issued', 'revoked'], always: true },
  { member: 'data.link', holds: 'public link of the certificate', in: ['issued'], always: false },
  {
    member: 'data.reason.code',
    holds: '`rejected`, `failed` or `held`',
    in: ['rejected', 'failed', 'held'],
    always: true,
  },
  {
    member: 'data.reason.sentence',
    holds: 'sentence for people',
    in: ['rejected', 'failed', 'held'],
    always: true,
  },
]
