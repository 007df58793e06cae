// Inboxes among the other folders: made absolute, and refused where two uses of one folder would get into each other's way.

import { realpath } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import type { FileSettings } from './schema.ts'
import type { SettingsFault } from './settings-error.ts'

const subFolders = ['processing', 'done', 'refused']

/**
 * The same settings with each inbox as an absolute path.
 * @param at makes a path absolute, as the other paths of the settings are
 */
export async function placeInboxes(
  file: FileSettings,
  at: (path: string) => string,
  dataDir: string,
  faults: SettingsFault[],
): Promise<FileSettings> {
  const pipelines = { ...file.pipelines }
  const taken: { pipeline: string; folder: string }[] = []
  const data = await trueFolder(dataDir)
  for (const [name, pipeline] of Object.entries(file.pipelines)) {
    const { source } = pipeline
    if (!source || !('inbox' in source)) continue
    const inbox = at(source.inbox)
    const folder = await trueFolder(inbox)
    const sentence = whyNotThere(folder, data, taken)
    if (sentence) faults.push({ where: `pipelines.${name}.source.inbox`, sentence })
    taken.push({ pipeline: name, folder })
    pipelines[name] = { ...pipeline, source: { ...source, inbox } }
  }
  return { ...file, pipelines }
}

function whyNotThere(
  folder: string,
  data: string,
  taken: readonly { pipeline: string; folder: string }[],
): string | null {
  if (folder === data) return 'is the data directory; give it a folder of its own'
  for (const name of ['outbox', 'postgres'])
    if (isWithin(folder, join(data, name))) return `lies in the ${name} of the data directory; give it another folder`
  for (const name of subFolders)
    if (isWithin(data, join(folder, name))) return `has the data directory in its ${name}; give it another folder`
  for (const other of taken) {
    if (other.folder === folder)
      return `is the inbox of pipeline ${other.pipeline} as well; each needs its own, or a file would go to whoever looks first`
    if (
      subFolders.some((sub) => isWithin(folder, join(other.folder, sub)) || isWithin(other.folder, join(folder, sub)))
    )
      return `and the inbox of pipeline ${other.pipeline} lie in each other; give it another folder`
  }
  return null
}

export function isWithin(path: string, folder: string): boolean {
  const way = relative(folder, path)
  return way === '' || !(way === '..' || way.startsWith(`..${sep}`))
}

/** Two names may lead to one folder. One that is missing is told by `check` and `start`: it may be a drive that is not there yet. */
export function trueFolder(path: string): Promise<string> {
  return realpath(path).catch(() => path)
}
