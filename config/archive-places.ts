// Folders of archives among the other folders: made absolute, and refused where something else would take what lies in them for its own.

import { join } from 'node:path'
import { isWithin, trueFolder } from './inbox-places.ts'
import type { FileSettings } from './schema.ts'
import type { SettingsFault } from './settings-error.ts'

/**
 * The same settings with each archive as an absolute path. Two pipelines may share one: files are named by their credentials.
 * @param at makes a path absolute, as the other paths of the settings are
 */
export async function placeArchives(
  file: FileSettings,
  at: (path: string) => string,
  dataDir: string,
  faults: SettingsFault[],
): Promise<FileSettings> {
  const pipelines = { ...file.pipelines }
  for (const [name, pipeline] of Object.entries(file.pipelines)) {
    if (!pipeline.archive) continue
    const to = at(pipeline.archive.to)
    const folder = await trueFolder(to)
    const sentence = await whyNotThere(folder, await trueFolder(dataDir), file)
    if (sentence) faults.push({ where: `pipelines.${name}.archive.to`, sentence })
    pipelines[name] = { ...pipeline, archive: { to } }
  }
  return { ...file, pipelines }
}

async function whyNotThere(folder: string, data: string, file: FileSettings): Promise<string | null> {
  if (folder === data) return 'is the data directory; give it a folder of its own'
  if (isWithin(folder, join(data, 'postgres')))
    return 'lies in the postgres of the data directory; give it another folder'
  for (const [name, { source }] of Object.entries(file.pipelines))
    if (source && 'inbox' in source && isWithin(folder, await trueFolder(source.inbox)))
      return `lies in the inbox of pipeline ${name}; give it another folder`
  return null
}
