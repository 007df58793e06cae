// Which item of a list a person means: by its uuid, its name, its code or a label. Pure.

import { looseName } from '#src/recipients/loose-name.ts'
import { nearestName } from '#src/recipients/nearest-name.ts'
import type { Reference, ReferenceList } from './read-references.ts'

export type Resolved = { uuid: string; name: string | null } | { fault: string }

const uuidShape = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

export function isUuid(text: string): boolean {
  return uuidShape.test(text.trim())
}

/**
 * A uuid is taken as it is: the service judges it. A name is looked for letter by letter, then without regard to case, spaces and
 * underscores, then among the labels; what fits two items is a fault and never a choice.
 */
export function resolveName(text: string, { references, complete }: ReferenceList): Resolved {
  const wanted = text.trim()
  if (isUuid(wanted)) return { uuid: wanted, name: nameOf(references, wanted) }
  const loose = looseName(wanted)
  const looks: ((each: Reference) => boolean)[] = [
    ({ names }) => names.includes(wanted),
    ({ names }) => names.some((name) => looseName(name) === loose),
    ({ labels }) => labels.some((label) => looseName(label) === loose),
  ]
  for (const fits of looks) {
    const found = [...new Map(references.filter(fits).map((each) => [each.uuid, each])).values()]
    const [first, second] = found
    if (first && !second) return { uuid: first.uuid, name: first.names[0] ?? null }
    if (first)
      return {
        fault: `“${wanted}” could be any of ${found.map(({ uuid, names }) => `${names[0] ?? '?'} (${uuid})`).join(', ')}; give the uuid`,
      }
  }
  return { fault: `“${wanted}” ${unknown(wanted, references, complete)}` }
}

function unknown(wanted: string, references: readonly Reference[], complete: boolean): string {
  const rest = complete ? '' : ' The service gave a part of the list only: give the uuid if it is in the rest.'
  const names = references.flatMap((each) => [...each.names, ...each.labels])
  const meant = nearestName(wanted, names)
  if (meant) return `is not in the service's list; did you mean “${meant}”?${rest}`
  const some = [...new Set(references.map(({ names: [name] }) => name).filter(Boolean))]
  if (some.length === 0) return `is not in the service's list, which is empty.${rest}`
  const shown = some.slice(0, 8).join(', ')
  return `is not in the service's list, which has ${shown}${some.length > 8 ? ` and ${some.length - 8} more` : ''}.${rest}`
}

function nameOf(references: readonly Reference[], uuid: string): string | null {
  return references.find((each) => each.uuid.toLowerCase() === uuid.toLowerCase())?.names[0] ?? null
}
