// What a pipeline names by uuid besides its course and templates: a mail template, signatures, sponsors. Asked only where it does.

import { collectItems, type Pages } from '#src/issuer/list.ts'
import { bad, type Check, good, guarded } from './check.ts'
import type { CheckedPipeline, PipelineTools } from './check-pipeline.ts'
import { sameUuid } from './check-templates.ts'

interface Entry {
  uuid: string | null
  name: string | null
}

export async function checkNamed(
  { issuer }: Pick<PipelineTools, 'issuer'>,
  { name, pipeline, uuid: course }: CheckedPipeline,
): Promise<Check[]> {
  const { mailTemplate, sponsors } = pipeline
  const signatures = pipeline.signatures.map((each) => (typeof each === 'string' ? each : each.uuid))
  const of = (setting: string, list: string, wanted: readonly string[], read: () => Promise<Listed>) =>
    wanted.length === 0
      ? []
      : guarded(setting, async () => judge({ pipeline: name, setting, list }, wanted, await read()), { pipeline: name })
  return [
    ...(await of('mailTemplate', `mail-templates --course ${name}`, mailTemplate ? [mailTemplate] : [], () =>
      read(issuer.listMailTemplates(course), (each) => ({
        // The list is documented as that of the active ones, and says of each whether it is.
        uuid: each.is_active === false ? null : each.custom_email_template_uuid,
        name: each.custom_email_template_name,
      })),
    )),
    ...(await of('signatures', 'signatures', signatures, () =>
      readOfBodies(issuer, signatures, (body) =>
        read(issuer.listSignatures(body), ({ uuid, member_name }) => ({ uuid, name: member_name })),
      ),
    )),
    ...(await of('sponsors', 'sponsors', sponsors, () =>
      readOfBodies(issuer, sponsors, (body) =>
        read(issuer.listSponsors(body), ({ uuid, sponsor_name }) => ({ uuid, name: sponsor_name })),
      ),
    )),
  ]
}

interface Listed {
  items: Entry[]
  /** False when there is more than was shown: what is missing then proves nothing. */
  complete: boolean
}

async function read<T>(pages: Pages<T>, entry: (item: T) => Entry): Promise<Listed> {
  const { items, complete } = await collectItems(pages)
  return { items: items.map(entry), complete }
}

/** Which ones are shown when no certification body is named is not documented: what is missing then is looked for with each. */
async function readOfBodies(
  issuer: PipelineTools['issuer'],
  wanted: readonly string[],
  readOf: (body: { certificationUuid?: string }) => Promise<Listed>,
): Promise<Listed> {
  const all = await readOf({})
  if (wanted.every((uuid) => has(all, uuid))) return all
  const bodies = await collectItems(issuer.listCertificationBodies())
  const lists = [all]
  for (const { certification_uuid } of bodies.items)
    if (certification_uuid) lists.push(await readOf({ certificationUuid: certification_uuid }))
  return {
    items: lists.flatMap((list) => list.items),
    complete: bodies.complete && lists.every((list) => list.complete),
  }
}

function judge(
  { pipeline, setting, list }: { pipeline: string; setting: string; list: string },
  wanted: readonly string[],
  listed: Listed,
): Check[] {
  const more = { pipeline }
  const missing = wanted.filter((uuid) => !has(listed, uuid))
  if (missing.length > 0 && listed.complete)
    return missing.map((uuid) =>
      bad(
        setting,
        `the service lists no ${setting} ${uuid} (pipelines.${pipeline}.${setting})`,
        `Correct it, or leave it out; \`credsync lists ${list}\` shows those there are`,
        more,
      ),
    )
  const names = listed.items.filter(({ uuid }) => wanted.some((each) => sameUuid(uuid, each)))
  const told = [...new Set(names.map((each) => each.name ?? 'without a name'))].join(', ') || 'none of them'
  if (missing.length === 0) return [good(setting, `${setting} is known: ${told}`, more)]
  const notice = `the service did not show its whole list, so nothing is known of ${missing.join(', ')}`
  return [good(setting, `${setting}: ${told} found`, { ...more, notices: [notice] })]
}

function has({ items }: Listed, wanted: string): boolean {
  return items.some(({ uuid }) => sameUuid(uuid, wanted))
}
