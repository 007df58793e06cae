// The languages that a course may have.

import { uuidFor } from '#sandboxes/service/uuid.ts'

const names = ['Arabic', 'Chinese', 'Czech', 'English', 'French', 'German', 'Hindi', 'Polish', 'Spanish', 'Turkish', 'Ukrainian']

export const languages = names.map((name) => ({ language_uuid: uuidFor(`language ${name}`), name }))

/** @throws Error for a name that is not in the list, such as a typo in another seed */
export function languageCalled(name: string): string {
  const found = languages.find((language) => language.name === name)
  if (!found) throw new Error(`The sandbox has no language ${name}: add it to its seeds.`)
  return found.language_uuid
}
