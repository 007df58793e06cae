import type { TableReading } from '#src/files/tables/source-limits.ts'
import type { ZipParts } from '#src/files/tables/zip/zip-parts.ts'
import { readXml } from './walk-xml.ts'

export interface Relationship {
  id: string
  /**
   * The last segment of the type, such as `worksheet`. The two editions of the format differ only in what precedes it.
   */
  kind: string
  /** The name of the part inside the ZIP. */
  target: string
}

/** Reads the relationships of `part`, or of the whole package for ''. Returns an empty list if the part has none. */
export async function readRelationships(zip: ZipParts, part: string, reading: TableReading): Promise<Relationship[]> {
  const { limits, refuse } = reading
  const slash = part.lastIndexOf('/') + 1
  const list = `${part.slice(0, slash)}_rels/${part.slice(slash)}.rels`
  if (!zip.has(list)) return []
  const relationships: Relationship[] = []
  const visitor = {
    open(name: string, attributes: Record<string, string>) {
      const { Id: id, Type: type, Target: target, TargetMode: mode } = attributes
      if (name !== 'Relationship' || mode === 'External') return
      if (id === undefined || type === undefined || target === undefined) return
      if (relationships.length >= limits.zipEntries) {
        throw refuse(
          'limit',
          `The workbook lists more parts than the limit of ${limits.zipEntries}. Copy the table into a new workbook.`,
        )
      }
      relationships.push({ id, kind: type.slice(type.lastIndexOf('/') + 1), target: resolveTarget(part, target) })
    },
  }
  await readXml(zip.read(list, limits.keptPartBytes), visitor, reading)
  return relationships
}

/**
 * Resolves the name of a part relative to another part: `worksheets/s.xml` for `xl/workbook.xml` is
 * `xl/worksheets/s.xml`. The result only names an entry and is never used as a path.
 */
export function resolveTarget(part: string, target: string): string {
  const steps = target.startsWith('/') ? [] : part.split('/').slice(0, -1)
  for (const step of decode(target).split('/')) {
    if (step === '..') steps.pop()
    else if (step !== '' && step !== '.') steps.push(step)
  }
  return steps.join('/')
}

function decode(target: string): string {
  try {
    return decodeURI(target)
  } catch {
    return target
  }
}
