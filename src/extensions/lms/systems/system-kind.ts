// The interface of a learning system kind. Each kind is one file in this folder, listed in registry.ts. That file
// defines everything about the kind: its settings, its client, how it is polled or sends events, its columns and its
// check.

import type { z } from 'zod'
import type { LmsHttp } from '#src/platform/http/http-client.ts'
import type { Clock } from '#src/platform/time/clock.ts'
import type { InboundSystem } from './inbound-system.ts'
import type { CompletionPipeline, PolledSystem } from './polled-system.ts'

/** `Schema` describes an entry of the setting `systems`, including its `type`. */
export interface SystemKind<Schema extends z.ZodObject = z.ZodObject, Client = unknown> {
  type: z.infer<Schema>['type'] & string
  settings: Schema
  /** The name of the setting that contains the system's URL, which must not be plain HTTP. */
  address?: keyof z.infer<Schema> & string
  /** The titles of the columns that its rows may have, in order, including columns that are empty in all rows. */
  columns(settings: z.infer<Schema>): string[]
  /** Creates a client without connecting. */
  open?(tools: SystemTools, settings: z.infer<Schema>, name: string): Client
  /** For a kind that can be polled for completions. */
  poll?(system: { name: string; settings: z.infer<Schema>; client: Client }): PolledSystem
  /** For a kind that sends events. */
  receive?(name: string, settings: z.infer<Schema>): InboundSystem
  /** Validates how a pipeline names a course: returns the end of a sentence that says what is wrong, or null. */
  courseFault?(course: string): string | null
  /** Returns why another system cannot identify the same learners by these ids; null when it can. */
  foreignIdsFault?(settings: z.infer<Schema>, name: string): string | null
  /**
   * Runs the checks of `credsync check`. Nothing is written to the system.
   * @throws an error of the client, which is reported as a fault
   */
  check(context: SystemCheckContext<Client>, settings: z.infer<Schema>): Promise<SystemFinding[]> | SystemFinding[]
}

export interface SystemTools {
  send: LmsHttp['send']
  clock: Clock
  /** A limiter for the calls to one system. */
  gateFor: (name: string, limits: { perSecond: number; atOnce: number }) => <T>(work: () => Promise<T>) => Promise<T>
}

/** The clients of the systems in the configuration. */
export interface SystemClients {
  /** @throws TypeError when the configuration has no system of this name and kind */
  client<Client>(kind: SystemKind<z.ZodObject, Client>, name: string): Client
}

/** The input for the check of one system. */
export interface SystemCheckContext<Client = unknown> {
  client: Client
  system: string
  /** The pipelines that issue its completions. */
  pipelines: readonly CompletionPipeline[]
  /** The areas of the client's `privileges` that the targets at this system need. */
  targetParts: readonly string[]
  /** The address on which this worker listens. */
  web: { host: string; port: number; trustedProxies: readonly string[] }
  /** Checks the targets of one pipeline at this system, once its course has been found. */
  checkTargets(pipeline: string, course: CourseOfTarget): Promise<SystemFinding[]>
}

/** A course: its id in the system, its code in the configuration, and the system's id of one of its learners. */
export interface CourseOfTarget {
  id: string
  code: string
  learner: string | null
}

/** One line of `credsync check`. No property ends with a full stop. */
export interface SystemFinding {
  /** What was checked, such as `system course`. */
  name: string
  pipeline?: string
  /** What was found. Omitted when `fault` is set. */
  what?: string
  /** What to do about a fault. Without a remedy, nothing is wrong. */
  remedy?: string
  /** Useful information that is not a fault. */
  notices?: string[]
  /** The error that made a check impossible. */
  fault?: unknown
}

/** Derives the types of the functions from the schema and the client. */
export function defineSystem<Schema extends z.ZodObject, Client>(
  kind: SystemKind<Schema, Client>,
): SystemKind<Schema, Client> {
  return kind
}

/** Runs one part of a check. An error becomes a finding, so that it does not hide other findings. */
export async function orFaultFinding(
  finding: Pick<SystemFinding, 'name' | 'pipeline'>,
  check: () => Promise<SystemFinding[]>,
): Promise<SystemFinding[]> {
  try {
    return await check()
  } catch (fault) {
    return [{ ...finding, fault }]
  }
}
