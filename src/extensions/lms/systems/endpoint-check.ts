// The settings that all systems that send events have in common, and the finding of `credsync check` that shows the URL
// to which such a system must send its events. Pure.

import { z } from 'zod'
import { systemName } from '#config/source-settings.ts'
import type { SystemCheckContext, SystemFinding } from './system-kind.ts'

/**
 * @param path the path of the endpoint, such as `/events/shop`
 * @param confirm the system that verifies its events, if any
 */
export function endpointFinding(
  { web, system, pipelines }: Pick<SystemCheckContext, 'web' | 'system' | 'pipelines'>,
  { path, confirm }: { path: string; confirm: string | undefined },
  notices: string[],
): SystemFinding {
  const { host, port } = web
  const uselessNotice = `its events can issue nothing: set \`confirm\` of ${system} to the system that has the courses, or name ${system} as the source of a pipeline`
  const isUseless = confirm === undefined && pipelines.length === 0
  return {
    name: 'endpoint',
    what:
      port === 0
        ? `events are received at ${path}, on any free port`
        : `events are received at http://${addressOf(host)}:${port}${path}`,
    notices: [
      'plain HTTP, so put a proxy in front of it that provides an https:// address',
      ...(isUseless ? [uselessNotice] : []),
      ...notices,
    ],
  }
}

const addressOf = (host: string) => (host.includes(':') ? `[${host}]` : host)

/** The settings of every system that sends events, whatever the format of the events. */
export const inboundSettings = {
  confirm: systemName
    .optional()
    .describe(
      'The system of type moodle or canvas that confirms each event. The event is then only a hint, and needs to contain only the learner and the course.',
    ),
  maxBytes: z.int().min(1_000).max(10_000_000).default(1_000_000).describe('The largest body that is accepted.'),
  retentionDays: z
    .int()
    .min(1)
    .max(3_650)
    .default(90)
    .describe(
      'The number of days after which the body and headers of a processed event are deleted. An event that is waiting or needs an operator is kept, as is the key that detects a repeated event.',
    ),
}
