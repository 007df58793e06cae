// Which column of a table is about images: a source's names them, and a sample sheet of the service says where their names go.

import { looseName } from './loose-name.ts'

// As people and templates call it. Only names are looked at, so "Image" and "Photo of the person" are found and "Imagination" is too.
const telling = /image|photo/

/**
 * The positions of the columns that may be meant: of the one called `wanted`, or without a wish of those whose name contains image or
 * photo. Names compare without case, spaces and underscores. None or several are for the caller to judge.
 */
export function imageColumns(header: readonly string[], wanted?: string): number[] {
  const meant = (name: string) => (wanted === undefined ? telling.test(name) : name === looseName(wanted))
  return header.flatMap((title, index) => (meant(looseName(title)) ? [index] : []))
}
