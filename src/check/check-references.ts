// Checks that the service lists the other items that a pipeline refers to by uuid: mail template, signatures, sponsors.
// Calls the service only for those that are set.

import { collectItems, type Pages } from '#src/issuer/lists/walk-list.ts'
import { sameUuid } from '#src/platform/uuid.ts'
import { type Check, faulty, passed, runSafely } from './check-result.ts'
import type { CheckedPipeline, PipelineTools } from './checked-pipeline.ts'

interface Entry {
  uuid: string | null
  name: string | null
}

export async function checkReferences(
  { issuer }: Pick<PipelineTools, 'issuer'>,
  { name, pipeline, uuid: course }: CheckedPipeline,
): Promise<Check[]> {
  const { mailTemplate, sponsors } = pipeline
  const signatures = pipeline.signatures.map((signature) =>
    typeof signature === 'string' ? signature : signature.uuid,
  )
  const checkIfSet = (setting: string, list: string, wanted: readonly string[], readPages: () => Promise<Listed>) =>
    wanted.length === 0
      ? []
      : runSafely(setting, async () => checkListed({ pipeline: name, setting, list }, wanted, await readPages()), {
          pipeline: name,
        })
  return [
    ...(await checkIfSet('mailTemplate', `mail-templates --course ${name}`, mailTemplate ? [mailTemplate] : [], () =>
      readPages(issuer.listMailTemplates(course), (each) => ({
        // According to its documentation the list contains only active templates, but it has a flag for inactive ones.
        uuid: each.is_active === false ? null : each.custom_email_template_uuid,
        name: each.custom_email_template_name,
      })),
    )),
    ...(await checkIfSet('signatures', 'signatures', signatures, () =>
      readFromBodies(issuer, signatures, (body) =>
        readPages(issuer.listSignatures(body), ({ uuid, member_name }) => ({ uuid, name: member_name })),
      ),
    )),
    ...(await checkIfSet('sponsors', 'sponsors', sponsors, () =>
      readFromBodies(issuer, sponsors, (body) =>
        readPages(issuer.listSponsors(body), ({ uuid, sponsor_name }) => ({ uuid, name: sponsor_name })),
      ),
    )),
  ]
}

interface Listed {
  items: Entry[]
  /** False if the service did not return the whole list; a missing entry then proves nothing. */
  complete: boolean
}

async function readPages<T>(pages: Pages<T>, entry: (item: T) => Entry): Promise<Listed> {
  const { items, complete } = await collectItems(pages)
  return { items: items.map(entry), complete }
}

/**
 * It is not documented which items are listed when no certification body is given, so missing items are also searched
 * for in each body.
 */
async function readFromBodies(
  issuer: PipelineTools['issuer'],
  wanted: readonly string[],
  readFrom: (body: { certificationUuid?: string }) => Promise<Listed>,
): Promise<Listed> {
  const all = await readFrom({})
  if (wanted.every((uuid) => includesUuid(all, uuid))) return all
  const bodies = await collectItems(issuer.listCertificationBodies())
  const lists = [all]
  for (const { certification_uuid } of bodies.items)
    if (certification_uuid) lists.push(await readFrom({ certificationUuid: certification_uuid }))
  return {
    items: lists.flatMap((list) => list.items),
    complete: bodies.complete && lists.every((list) => list.complete),
  }
}

function checkListed(
  { pipeline, setting, list }: { pipeline: string; setting: string; list: string },
  wanted: readonly string[],
  listed: Listed,
): Check[] {
  const subject = { pipeline }
  const missing = wanted.filter((uuid) => !includesUuid(listed, uuid))
  if (missing.length > 0 && listed.complete)
    return missing.map((uuid) =>
      faulty(
        setting,
        `the service lists no ${setting} ${uuid} (pipelines.${pipeline}.${setting})`,
        `Correct the uuid, or remove it from the pipeline; \`credsync lists ${list}\` shows the existing ones`,
        subject,
      ),
    )
  const found = listed.items.filter(({ uuid }) => wanted.some((entry) => sameUuid(uuid, entry)))
  const foundNames = [...new Set(found.map((entry) => entry.name ?? 'without a name'))].join(', ') || 'none of them'
  if (missing.length === 0) return [passed(setting, `the service lists ${setting}: ${foundNames}`, subject)]
  const notice = `the service did not return its whole list, so ${missing.join(', ')} could not be checked`
  return [passed(setting, `the service lists ${setting}: ${foundNames}`, { ...subject, notices: [notice] })]
}

function includesUuid({ items }: Listed, wanted: string): boolean {
  return items.some(({ uuid }) => sameUuid(uuid, wanted))
}
