// Finds targets that show the public link of a credential although their pipeline does not request one. The service
// creates no link unless it is requested, so the field would stay empty. Pure.

import type { FileSettings } from '#config/schema.ts'
import { type Check, faulty, passed } from '#src/check/check-result.ts'
import { type Target, targetsOf } from '#src/extensions/lms/sync/targets.ts'

export function checkPublicLinks({ pipelines }: Pick<FileSettings, 'pipelines'>): Check[] {
  return Object.entries(pipelines).flatMap(([pipeline, settings]) =>
    targetsOf(pipeline, settings).flatMap((target) => checkTarget(target, settings.batch.mode)),
  )
}

function checkTarget(target: Target, mode: 'json' | 'upload'): Check[] {
  const { pipeline, kind, settings, requestsPublicLink, needs } = target
  if (requestsPublicLink) return []
  const subject = { pipeline, ...('system' in settings && { system: settings.system }) }
  const howToRequest =
    mode === 'upload'
      ? 'with batch.mode upload no link can be requested: use mode json with options: { publicLink: true }'
      : 'set options: { publicLink: true } in the pipeline'
  if (needs.includes('link'))
    return [
      faulty(
        'public link',
        `${settings.to} is to show the link of each credential, but the pipeline requests no public links, so the field would be empty`,
        `${howToRequest[0]?.toUpperCase()}${howToRequest.slice(1)}, or remove link from writeBack`,
        subject,
      ),
    ]
  if (!kind.hasComment) return []
  const notice = `the comment contains the credential's id but no link, because the pipeline requests no public links; to request them, ${howToRequest}`
  return [passed('public link', `${settings.to} is delivered without a link`, { ...subject, notices: [notice] })]
}
