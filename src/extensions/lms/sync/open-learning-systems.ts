// Opens the learning systems of the configuration: clients for systems that are polled or receive outcomes, and
// endpoints for systems that send events. Connects to nothing.

import type { z } from 'zod'
import type { FileSettings } from '#config/schema.ts'
import { lmsProblemLines } from '#src/extensions/lms/describe-learning-systems.ts'
import type { InboundSystem } from '#src/extensions/lms/systems/inbound-system.ts'
import type { CompletionPipeline, PolledSystem } from '#src/extensions/lms/systems/polled-system.ts'
import { systemKindOf, systemKinds } from '#src/extensions/lms/systems/registry.ts'
import type { SystemKind, SystemTools } from '#src/extensions/lms/systems/system-kind.ts'
import type { CredentialProperty } from '#src/extensions/lms/targets/credential-text.ts'
import { targetKinds } from '#src/extensions/lms/targets/registry.ts'
import type { TargetKind } from '#src/extensions/lms/targets/target-kind.ts'
import { parseDuration } from '#src/platform/time/duration.ts'
import { namesAt, type Target, targetsOf } from './targets-of-pipeline.ts'

export type LearningSystems = ReturnType<typeof openLearningSystems>

export interface LearningSystemParts extends SystemTools {
  /** Default: the kinds in the registry. */
  systemKinds?: readonly SystemKind[]
  /** Default: the kinds in the registry. */
  targetKinds?: readonly TargetKind[]
}

export function openLearningSystems({ systems, pipelines }: FileSettings, parts: LearningSystemParts) {
  const opened = Object.entries(systems).map(([name, settings]) => {
    const kind = systemKindOf(settings, parts.systemKinds ?? systemKinds)
    const client = kind.open?.(parts, settings, name) ?? null
    const polled = kind.poll?.({ name, settings, client }) ?? null
    return { name, settings, kind, client, polled, inbound: kind.receive?.(name, settings) ?? null }
  })
  const find = (name: string) => opened.find((each) => each.name === name) ?? null
  const endpoints: readonly InboundSystem[] = opened.flatMap(({ inbound }) => inbound ?? [])
  const completionPipelines = completionPipelinesOf({ pipelines })
  const targets = Object.entries(pipelines).flatMap(([name, pipeline]) =>
    targetsOf(name, pipeline, parts.targetKinds ?? targetKinds),
  )
  return {
    /** @throws TypeError when the configuration has no system of this name and kind */
    client<Client>(kind: SystemKind<z.ZodObject, Client>, name: string): Client {
      const found = find(name)
      return requireFound(found?.kind.type === kind.type ? found : null, name).client as Client
    },
    /** The systems that can be polled for completions. */
    polled: opened.flatMap(({ polled }): readonly PolledSystem[] => (polled ? [polled] : [])),
    /** The systems that send events. */
    endpoints,
    /** For how many days the bodies of each system's events are stored. */
    retention: endpoints.map(({ name, retentionDays }) => ({ system: name, days: retentionDays })),
    /** @throws TypeError when the configuration has no such system, or one that cannot be polled */
    polledSystem: (name: string): PolledSystem => requireFound(find(name)?.polled ?? null, name),
    endpoint: (name: string): InboundSystem | null => find(name)?.inbound ?? null,
    /** The columns that rows of the system may have; empty when the system is no longer in the configuration. */
    titlesOf(name: string): string[] {
      const found = find(name)
      return found?.kind.columns(found.settings) ?? []
    },
    pipelinesOf: (system: string): readonly CompletionPipeline[] =>
      completionPipelines.filter((completionPipeline) => completionPipeline.system === system),
    /**
     * The system that confirms the events of a sender, by the sender's name. The events identify learners by the ids of
     * that system.
     */
    confirmedBy: Object.fromEntries(
      endpoints.flatMap(({ name, confirm }) => (confirm === null ? [] : [[name, confirm]])),
    ) as Readonly<Record<string, string>>,
    /** What an operator has to know about learning systems and deliveries. */
    problemLines: lmsProblemLines,
    /** The targets of all pipelines. */
    targets: targets as readonly Target[],
    targetsOf: (pipeline: string): readonly Target[] => targets.filter((target) => target.pipeline === pipeline),
    /** Names of the targets that write to profiles of the system; empty when the profiles cannot be read back. */
    profileTargetsOf: (system: string): string[] =>
      find(system)?.polled?.readProfile
        ? namesAt(
            targets.filter(({ profile }) => profile !== null),
            system,
          )
        : [],
    /** What the pipeline writes to profiles at the target, by name of the field. */
    profileFieldsOf: (pipeline: string, target: string): Readonly<Record<string, CredentialProperty>> =>
      targets.find((each) => each.pipeline === pipeline && each.name === target)?.profile?.fields ?? {},
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
