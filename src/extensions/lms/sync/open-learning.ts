// Opens the learning systems of the configuration: clients for systems that are polled or receive outcomes, and
// endpoints for systems that send events. Connects to nothing.

import type { FileSettings } from '#config/schema.ts'
import { lmsProblemLines } from '#src/extensions/lms/learning-system-lines.ts'
import type { InboundSystem } from '#src/extensions/lms/systems/inbound-system.ts'
import type { CompletionPipeline, PolledSystem } from '#src/extensions/lms/systems/polled-system.ts'
import { systemKindOf, systemKinds } from '#src/extensions/lms/systems/registry.ts'
import type { SystemClients, SystemKind, SystemTools } from '#src/extensions/lms/systems/system-kind.ts'
import type { CredentialProperty } from '#src/extensions/lms/targets/credential-text.ts'
import { targetKinds } from '#src/extensions/lms/targets/registry.ts'
import type { TargetKind } from '#src/extensions/lms/targets/target-kind.ts'
import { parseDuration } from '#src/platform/time/duration.ts'
import { namesAt, type Target, targetsOf } from './targets.ts'

/** A system that nothing can be delivered to, because its settings are faulty. */
export interface UnusableSystem {
  system: string
  /** A message without secrets. */
  problem: string
}

export interface LearningSystems extends SystemClients {
  /** The systems that can be polled for completions. */
  polled: readonly PolledSystem[]
  /** The systems that send events. */
  endpoints: readonly InboundSystem[]
  /** The systems whose settings are faulty, so that nothing can be delivered to them. */
  unusable: readonly UnusableSystem[]
  /** For how many days the bodies of each system's events are stored. */
  retention: readonly { system: string; days: number }[]
  /** @throws TypeError when the configuration has no such system, or one that cannot be polled */
  polledSystem(name: string): PolledSystem
  endpoint(name: string): InboundSystem | null
  /** The columns that rows of the system may have; empty when the system is no longer in the configuration. */
  titlesOf(system: string): string[]
  /**
   * The language in which to issue the system's multilingual names; null when no language is set, or the system has no
   * multilingual names.
   */
  languageOf(system: string): string | null
  pipelinesOf(system: string): readonly CompletionPipeline[]
  /** Which system confirms the events of another one, whose learner ids these events have: by the name of the sender. */
  confirmedBy: Readonly<Record<string, string>>
  /** What somebody has to know of systems and deliveries. */
  problemLines: typeof lmsProblemLines
  /** The targets of all pipelines. */
  targets: readonly Target[]
  targetsOf(pipeline: string): readonly Target[]
  /** Names of the targets that write to profiles of the system; empty when the profiles cannot be read back. */
  profileTargetsOf(system: string): string[]
  /** What the pipeline writes to profiles at the target, by name of the field. */
  profileFieldsOf(pipeline: string, target: string): Readonly<Record<string, CredentialProperty>>
}

export interface LearningSystemParts extends SystemTools {
  /** Default: the kinds in the registry. */
  systemKinds?: readonly SystemKind[]
  /** Default: the kinds in the registry. */
  targetKinds?: readonly TargetKind[]
}

export function openLearningSystems({ systems, pipelines }: FileSettings, parts: LearningSystemParts): LearningSystems {
  const opened = Object.entries(systems).map(([name, settings]) => {
    const kind = systemKindOf(settings, parts.systemKinds ?? systemKinds)
    const { client, fault } = kind.open?.(parts, settings, name) ?? { client: null, fault: null }
    return {
      name,
      settings,
      kind,
      client,
      fault,
      polled: kind.poll?.({ name, settings, client }) ?? null,
      inbound: kind.receive?.(name, settings) ?? null,
    }
  })
  const find = (name: string) => opened.find((each) => each.name === name) ?? null
  const endpoints = opened.flatMap(({ inbound }) => inbound ?? [])
  const completionPipelines = completionPipelinesOf({ pipelines })
  const kinds = parts.targetKinds ?? targetKinds
  const targets = new Map(Object.entries(pipelines).map(([name, pipeline]) => [name, targetsOf(name, pipeline, kinds)]))
  return {
    polled: opened.flatMap(({ polled }) => polled ?? []),
    endpoints,
    unusable: opened.flatMap(({ name, fault }) => (fault ? [{ system: name, problem: fault.message }] : [])),
    retention: endpoints.map(({ name, retentionDays }) => ({ system: name, days: retentionDays })),
    client<Client>(kind: SystemKind<never, Client>, name: string): Client {
      const found = find(name)
      return requireFound(found?.kind.type === kind.type ? found : null, name).client as Client
    },
    polledSystem: (name) => requireFound(find(name)?.polled ?? null, name),
    endpoint: (name) => find(name)?.inbound ?? null,
    titlesOf(name) {
      const found = find(name)
      return found?.kind.columns(found.settings) ?? []
    },
    languageOf: (name) => find(name)?.polled?.settings.language ?? null,
    pipelinesOf: (system) => completionPipelines.filter((completionPipeline) => completionPipeline.system === system),
    confirmedBy: confirmedBy({ endpoints }),
    problemLines: lmsProblemLines,
    targets: [...targets.values()].flat(),
    targetsOf: (pipeline) => targets.get(pipeline) ?? [],
    profileTargetsOf: (system) =>
      find(system)?.polled?.readProfile
        ? namesAt(
            [...targets.values()].flat().filter(({ profile }) => profile !== null),
            system,
          )
        : [],
    profileFieldsOf: (pipeline, target) =>
      Object.assign(
        {},
        ...(targets.get(pipeline) ?? []).map(({ name, profile }) => (name === target && profile ? profile.fields : {})),
      ),
  }
}

/** The pipelines whose source is a learning system. Pure. */
export function completionPipelinesOf({ pipelines }: Pick<FileSettings, 'pipelines'>): CompletionPipeline[] {
  return Object.entries(pipelines).flatMap(([pipeline, { source }]) =>
    source && 'system' in source
      ? [
          {
            pipeline,
            system: source.system,
            course: source.course,
            renewAfterMs: source.renewAfter === undefined ? null : parseDuration(source.renewAfter),
          },
        ]
      : [],
  )
}

function requireFound<Found>(found: Found | null, name: string): Found {
  if (!found) throw new TypeError(`The configuration has no system ${name} of this type.`)
  return found
}

// Which system confirms the events of another one, whose learner ids these events have. Pure.

/** By the name of the system that sends the events. */
function confirmedBy({
  endpoints,
}: {
  endpoints: readonly { name: string; confirm: string | null }[]
}): Readonly<Record<string, string>> {
  return Object.fromEntries(endpoints.flatMap(({ name, confirm }) => (confirm === null ? [] : [[name, confirm]])))
}
