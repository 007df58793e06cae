// Finds the list item that a course file refers to by uuid, name, code or label. Pure.

import { looseName } from '#src/domain/recipient/loose-name.ts'
import { nearestName } from '#src/domain/recipient/nearest-name.ts'
import { isUuid, sameUuid } from '#src/platform/uuid.ts'
import type { Reference, ReferenceList } from './read-references.ts'

export type Resolved = { uuid: string; name: string | null } | { fault: string }

/**
 * A uuid is accepted even if it is not in the list, because the service validates it. A name is matched exactly, then
 * ignoring case, spaces and underscores, then against the labels. If two items match, a fault is returned and neither
 * is chosen.
 */
export function resolveReference(text: string, { references, complete }: ReferenceList): Resolved {
  const wanted = text.trim()
  if (isUuid(wanted)) return { uuid: wanted, name: nameOf(references, wanted) }
  const loose = looseName(wanted)
  const matchers: ((each: Reference) => boolean)[] = [
    ({ names }) => names.includes(wanted),
    ({ names }) => names.some((name) => looseName(name) === loose),
    ({ labels }) => labels.some((label) => looseName(label) === loose),
  ]
  for (const matches of matchers) {
    const found = [...new Map(references.filter(matches).map((reference) => [reference.uuid, reference])).values()]
    const [first, second] = found
    if (first && !second) return { uuid: first.uuid, name: first.names[0] ?? null }
    if (first)
      return {
        fault: `“${wanted}” could be any of ${found.map(({ uuid, names }) => `${names[0] ?? '?'} (${uuid})`).join(', ')}; give the uuid`,
      }
  }
  return { fault: `“${wanted}” ${notFoundSentence(wanted, references, complete)}` }
}

function notFoundSentence(wanted: string, references: readonly Reference[], complete: boolean): string {
  const incompleteNotice = complete
    ? ''
    : ' The service returned only part of the list: give the uuid if the item is in the other part.'
  const names = references.flatMap((reference) => [...reference.names, ...reference.labels])
  const meant = nearestName(wanted, names)
  if (meant) return `is not in the service's list; did you mean “${meant}”?${incompleteNotice}`
  const listedNames = [...new Set(references.map(({ names: [name] }) => name).filter(Boolean))]
  if (listedNames.length === 0) return `is not in the service's list, which is empty.${incompleteNotice}`
  const shown = listedNames.slice(0, 8).join(', ')
  return `is not in the service's list, which has ${shown}${listedNames.length > 8 ? ` and ${listedNames.length - 8} more` : ''}.${incompleteNotice}`
}

function nameOf(references: readonly Reference[], uuid: string): string | null {
  return references.find((reference) => sameUuid(reference.uuid, uuid))?.names[0] ?? null
}
