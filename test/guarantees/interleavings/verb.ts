// One ledger verb, applied to the scene.

import type { WholeLedger } from '#src/app/whole-ledger.ts'
import type { Scene } from './scene.ts'

export interface Verb {
  /** The name in the ledger: `noun.verb` or `verb`. */
  name: string
  /** Which case of the verb this is, if there are several. */
  variant?: string
  run: (ledger: WholeLedger, scene: Scene) => Promise<unknown>
  /** Recognizes the error that the verb throws if another call was faster; the caller then repeats the verb. */
  mayThrow?: (error: Error) => boolean
}

export const titleOf = ({ name, variant }: Verb) => (variant ? `${name} (${variant})` : name)

/** Returns the issuance ids of these people. */
export const idsOfPeople = (scene: Scene, ...people: number[]) => people.map((person) => scene.ids.get(person) ?? 0)

/**
 * Another worker is reading or has read the same run. The job is repeated and detects this; each row is staged once, by
 * its key.
 */
export const isReadTwice = ({ message }: Error) =>
  /waiting to be read|it will be read again|staged_row_pkey/.test(message)
