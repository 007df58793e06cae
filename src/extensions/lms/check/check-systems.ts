// Runs the checks of learning systems and of delivery targets, as defined by their kinds. Calls the systems, but writes
// nothing to them.

import type { FileSettings } from '#config/schema.ts'
import { type Check, faulty, faultyFromError, runSafely } from '#src/check/check-result.ts'
import type { Parts } from '#src/check/open-parts.ts'
import { completionPipelinesOf } from '#src/extensions/lms/sync/open-learning-systems.ts'
import { targetsOf } from '#src/extensions/lms/sync/targets-of-pipeline.ts'
import { systemKindOf, systemKinds } from '#src/extensions/lms/systems/registry.ts'
import type {
  SystemCheckContext,
  SystemFinding,
  SystemKind,
  SystemTools,
} from '#src/extensions/lms/systems/system-kind.ts'
import { targetKindOf } from '#src/extensions/lms/targets/registry.ts'
import { openLmsHttp } from '#src/platform/http/http-client.ts'
import { checkTargets, type KnownSystems } from './check-targets.ts'

type SystemParts = KnownSystems & Pick<Parts, 'clock'>

export async function checkSystems(parts: SystemParts, kinds: readonly SystemKind[] = systemKinds): Promise<Check[]> {
  const { file } = parts.settings
  const wire = openLmsHttp(parts.clock)
  try {
    const checks: Check[] = []
    for (const [system, settings] of Object.entries(file.systems))
      checks.push(
        ...(await runSafely(
          'system',
          async () => {
            const kind = systemKindOf(settings, kinds)
            const findings = await kind.check(openCheckContext(parts, wire.send, { system, settings, kind }), settings)
            return findings.map((finding) => asCheck(finding, system))
          },
          { system },
        )),
      )
    checks.push(...checkPublicLinks(file))
    return checks
  } finally {
    await wire.close()
  }
}

function openCheckContext(
  parts: SystemParts,
  send: SystemTools['send'],
  of: { system: string; settings: FileSettings['systems'][string]; kind: SystemKind },
): SystemCheckContext {
  const { clock, settings } = parts
  const { file } = settings
  const { system, kind } = of
  // The calls are few and sequential, so no limiter is needed.
  const tools: SystemTools = { send, clock, gateFor: () => (work) => work() }
  const client = kind.open?.(tools, of.settings, system)
  const pipelines = completionPipelinesOf(file).filter((pipeline) => pipeline.system === system)
  const targets = Object.values(file.pipelines).flatMap(({ writeBack }) => writeBack)
  // A target here uses only the system that is being checked.
  const learning = { client: <Client>() => client as Client }
  return {
    client,
    system,
    pipelines,
    targetParts: targets.flatMap((target) =>
      'system' in target && target.system === system ? (targetKindOf(target).system?.part ?? []) : [],
    ),
    web: file.web,
    checkTargets: (pipeline, course) => checkTargets(parts, { pipeline, system, learning, course }),
  }
}

function asCheck({ name, pipeline, what, remedy, notices, fault }: SystemFinding, system: string): Check {
  const subject = { pipeline: pipeline ?? null, system, ...(notices && { notices }) }
  if (what === undefined) return faultyFromError(name, fault, subject)
  return { name, ok: remedy === undefined, what, remedy: remedy ?? null, ...subject }
}

/**
 * Finds targets that show the public link of a credential although their pipeline does not request one. The service
 * creates no link unless it is requested, so the field would stay empty.
 */
function checkPublicLinks({ pipelines }: Pick<FileSettings, 'pipelines'>): Check[] {
  return Object.entries(pipelines).flatMap(([pipeline, pipelineSettings]) =>
    targetsOf(pipeline, pipelineSettings).flatMap(({ settings, requestsPublicLink, needs }) =>
      requestsPublicLink || !needs.includes('link')
        ? []
        : faulty(
            'public link',
            `${settings.to} is to show the link of each credential, but the pipeline requests no public links, so the field would be empty`,
            'Set options: { publicLink: true } in the pipeline (with batch.mode json), or remove link from writeBack',
            { pipeline, ...('system' in settings && { system: settings.system }) },
          ),
    ),
  )
}
