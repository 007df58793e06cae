// The interface of a target kind. Each kind is one file in this folder, listed in registry.ts. That file defines
// everything about the kind: its settings, its name, what it shows and how outcomes are delivered to it.

import { createHash } from 'node:crypto'
import type { z } from 'zod'
import type { DueDelivery, LearnerCompletion } from '#src/extensions/lms/ledger/deliveries.ts'
import type { AccessLine } from '#src/extensions/lms/moodle/open-moodle.ts'
import type { CourseOfTarget, SystemClients } from '#src/extensions/lms/systems/system-kind.ts'
import type { LmsHttp } from '#src/platform/http/http-client.ts'
import type { Clock } from '#src/platform/time/clock.ts'
import { type CredentialProperty, type DeliverableCredential, textFor } from './credential-text.ts'
import type { DeliveryFailure } from './delivery-failure.ts'

/** `Schema` describes an entry of the setting `writeBack`, including its `to`. */
export interface TargetKind<Schema extends z.ZodObject = z.ZodObject> {
  to: z.infer<Schema>['to'] & string
  settings: Schema
  /** The kind of learning system that the setting `system` must name; null for a kind that needs none. */
  system: NeededSystem | null
  /** The name of the setting that contains the target's URL, if it has one, which must not be plain HTTP. */
  address?: keyof z.infer<Schema> & string
  /**
   * True when the target shows one credential for each learner of a learning system; otherwise every change of every
   * credential is delivered.
   */
  showsOne: boolean
  /**
   * What the target writes to the profile of a learner, by name of the field. The profile is read back every night if
   * the system supports it (`readProfile`).
   */
  profileFields?(settings: z.infer<Schema>): Readonly<Record<string, CredentialProperty>>
  /** True when the target refuses a second delivery that adds what was missing in the first. */
  isDeliveredOnce?: boolean
  /** An outcome that was not accepted after this many tries has failed. Default: it is retried until it is accepted. */
  maxTries?: number
  /** A unique name for the target. The ledger stores it, so it must not change when the configuration is reordered. */
  name(settings: z.infer<Schema>): string
  /** A description of the target for messages, such as `the profiles of campus`. */
  describe(settings: z.infer<Schema>): string
  /**
   * The properties of a credential that the target shows.
   * @param requestsPublicLink true when the pipeline requests public links
   */
  propertiesToShow(settings: z.infer<Schema>, requestsPublicLink: boolean): CredentialProperty[]
  /**
   * Writes the outcome, and reads it back if the target can be read. `completion` is not null for a kind that
   * `showsOne`.
   * @throws a client error, which is converted to the corresponding failure
   */
  deliver(tools: TargetTools, settings: z.infer<Schema>, due: DueDelivery): Promise<DeliveryOutcome>
  /** The check for `credsync check` of a target in a learning system; nothing is written. */
  check?: TargetCheck<z.infer<Schema>>
}

export interface TargetCheck<Settings> {
  /** What is checked. */
  name: string
  /** @throws an error of a client, which is reported as a fault */
  run(context: TargetCheckContext, settings: Settings): Promise<Finding[]> | Finding[]
}

export interface TargetCheckContext {
  learning: TargetTools['learning']
  pipeline: string
  /** The course of the pipeline in the system of the target. */
  course: CourseOfTarget
  /** Returns the ids of a few learners of the pipeline, who may already have a delivery. */
  sampleLearners(): Promise<readonly string[]>
}

/** A line of `credsync check`, without a full stop at the end. It is a fault when it has a remedy. */
export interface Finding {
  what: string
  remedy?: string
  notice?: string
}

export interface NeededSystem {
  type: string
  /** The area of the client's `privileges` that the account needs. */
  part?: AccessLine['part']
  /** True when the system identifies the learners of another system by the same ids. */
  sharesLearnerIds?: boolean
  /** The message when the system has another type, such as `moodle-profile needs one of type moodle`. */
  sentence: string
}

/** `written` when the target shows nothing that can be read back. */
export type DeliveryOutcome = { kind: 'verified' } | { kind: 'written' } | { kind: 'account_deleted' } | DeliveryFailure

export interface TargetTools {
  /** The clients of the systems in the configuration. */
  learning: SystemClients
  send: LmsHttp['send']
  clock: Clock
  environment: 'development' | 'production'
}

/** A delivery of a kind that `showsOne`. */
export type DueWithLearner = DueDelivery & { completion: LearnerCompletion }

/** Derives the types of the functions from the schema. */
export function defineTarget<Schema extends z.ZodObject>(kind: TargetKind<Schema>): TargetKind<Schema> {
  return kind
}

/**
 * Returns the text for each field or column.
 * @param places what to show in each field or column, by its name
 */
export function textsFor(
  places: Readonly<Record<string, CredentialProperty>>,
  credential: DeliverableCredential,
): Record<string, string> {
  return Object.fromEntries(Object.entries(places).map(([place, what]) => [place, textFor(credential, what)]))
}

/** Returns a short hash of a URL for use in a target name, since the URL may be confidential. */
export const digest = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 8)
