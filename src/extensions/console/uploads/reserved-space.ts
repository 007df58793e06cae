// Sets space on the disk aside for each list before its first byte is read, so that lists that arrive at the same time
// cannot fill the disk together, and limits what the lists of one person take. Counts the lists that this process is
// receiving. Reads the file system.

import { sourceLimits } from '#src/files/tables/source-limits.ts'
import { freeBytes, keptFreeBytes } from '#src/platform/free-disk.ts'
import { limitConcurrency } from '#src/platform/limits/limit-concurrency.ts'
import { fullDisk, tooManyLists } from './list-refusals.ts'

export interface ReservedSpace extends Disposable {
  /** Notes that this many more bytes are on disk. */
  wrote(bytes: number): void
  /** Whether something else has taken the space that must stay free. */
  isShort(): Promise<boolean>
}

export interface ListToReceive {
  /** Where it will be written. */
  folder: string
  by: string
  bytes: number
}

/**
 * How much the lists of one person may take together until they are issued. A list of the largest size can be
 * corrected.
 */
export const mostOfPerson = { bytes: 2 * sourceLimits.fileBytes, lists: 100 }

/** @param waitingOf the lists of a person that are kept already */
export function openUploadSpace(
  waitingOf: (person: string) => Promise<readonly { bytes: number }[]>,
  freeBytesOf: (folder: string) => Promise<number> = freeBytes,
): { reserve(list: ListToReceive): Promise<ReservedSpace> } {
  const arriving = new Set<ListToReceive & { left: number }>()
  const oneAtATime = limitConcurrency(1)

  async function reserve({ folder, by, bytes }: ListToReceive): Promise<ReservedSpace> {
    const own = [...(await waitingOf(by)), ...[...arriving].filter((each) => each.by === by), { bytes }]
    if (own.length > mostOfPerson.lists || sum(own.map((each) => each.bytes)) > mostOfPerson.bytes) throw tooManyLists()
    const left = sum([...arriving].map((each) => each.left))
    if ((await freeBytesOf(folder)) - left - bytes < keptFreeBytes) throw fullDisk()
    const list = { folder, by, bytes, left: bytes }
    arriving.add(list)
    return {
      wrote(count) {
        list.left = Math.max(0, list.left - count)
      },
      isShort: async () => (await freeBytesOf(folder)) < keptFreeBytes,
      [Symbol.dispose]: () => void arriving.delete(list),
    }
  }
  return { reserve: (list) => oneAtATime(() => reserve(list)) }
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0)
