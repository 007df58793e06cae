// Resolves the folders of archives to absolute paths, and refuses folders that other parts of the program use. Reads
// the file system to resolve links.

import { join } from 'node:path'
import { isWithin, realFolder } from '#config/inbox-folders.ts'
import type { SettingsFault } from '#config/read-variable.ts'
import type { FileSettings } from '#config/schema.ts'

/**
 * Returns the settings with each archive's folder as an absolute path. Two pipelines may share a folder, because files
 * are named after their credentials.
 * @param absolutePath makes a path absolute, like the other paths of the settings
 */
export async function resolveArchiveFolders(
  file: FileSettings,
  absolutePath: (path: string) => string,
  dataDir: string,
  faults: SettingsFault[],
): Promise<FileSettings> {
  const pipelines = { ...file.pipelines }
  for (const [name, pipeline] of Object.entries(file.pipelines)) {
    if (!pipeline.archive) continue
    const archiveFolder = absolutePath(pipeline.archive.to)
    const folder = await realFolder(archiveFolder)
    const sentence = await whyUnusable(folder, await realFolder(dataDir), file)
    if (sentence) faults.push({ where: `pipelines.${name}.archive.to`, sentence })
    pipelines[name] = { ...pipeline, archive: { ...pipeline.archive, to: archiveFolder } }
  }
  return { ...file, pipelines }
}

async function whyUnusable(folder: string, realDataDir: string, file: FileSettings): Promise<string | null> {
  if (folder === realDataDir) return 'is the data directory; use a separate folder'
  if (isWithin(folder, join(realDataDir, 'postgres')))
    return 'is inside the postgres folder of the data directory; use another folder'
  for (const [name, { source }] of Object.entries(file.pipelines))
    if (source && 'inbox' in source && isWithin(folder, await realFolder(source.inbox)))
      return `is inside the inbox of pipeline ${name}; use another folder`
  return null
}
