// Resolves the folders of inboxes to absolute paths, and refuses folders whose uses would conflict. Reads the file
// system to resolve links.

import { realpath } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import type { SettingsFault } from './read-variable.ts'
import type { FileSettings } from './schema.ts'

const subFolders = ['processing', 'done', 'refused']

/**
 * Returns the settings with each inbox's folder as an absolute path.
 * @param absolutePath makes a path absolute, like the other paths of the settings
 */
export async function resolveInboxFolders(
  file: FileSettings,
  absolutePath: (path: string) => string,
  dataDir: string,
  faults: SettingsFault[],
): Promise<FileSettings> {
  const pipelines = { ...file.pipelines }
  const earlierInboxes: { pipeline: string; folder: string }[] = []
  const realDataDir = await realFolder(dataDir)
  for (const [name, pipeline] of Object.entries(file.pipelines)) {
    const { source } = pipeline
    if (!source || !('inbox' in source)) continue
    const inbox = absolutePath(source.inbox)
    const folder = await realFolder(inbox)
    const sentence = whyUnusable(folder, realDataDir, earlierInboxes)
    if (sentence) faults.push({ where: `pipelines.${name}.source.inbox`, sentence })
    earlierInboxes.push({ pipeline: name, folder })
    pipelines[name] = { ...pipeline, source: { ...source, inbox } }
  }
  return { ...file, pipelines }
}

function whyUnusable(
  folder: string,
  realDataDir: string,
  earlierInboxes: readonly { pipeline: string; folder: string }[],
): string | null {
  if (folder === realDataDir) return 'is the data directory; use a separate folder'
  for (const name of ['outbox', 'postgres'])
    if (isWithin(folder, join(realDataDir, name)))
      return `is inside the ${name} folder of the data directory; use another folder`
  for (const name of subFolders)
    if (isWithin(realDataDir, join(folder, name)))
      return `contains the data directory in its ${name} folder; use another folder`
  for (const earlier of earlierInboxes) {
    if (earlier.folder === folder)
      return `is the inbox of pipeline ${earlier.pipeline} as well; give each pipeline its own inbox, or two pipelines would compete for the same files`
    if (
      subFolders.some(
        (subFolder) =>
          isWithin(folder, join(earlier.folder, subFolder)) || isWithin(earlier.folder, join(folder, subFolder)),
      )
    )
      return `overlaps with the inbox of pipeline ${earlier.pipeline}; use another folder`
  }
  return null
}

/** Returns whether `path` is `folder` or is inside it. Pure. */
export function isWithin(path: string, folder: string): boolean {
  const pathFromFolder = relative(folder, path)
  return pathFromFolder === '' || !(pathFromFolder === '..' || pathFromFolder.startsWith(`..${sep}`))
}

/**
 * Resolves links, because two names may lead to one folder. A missing folder is returned unchanged, because it may be
 * on a drive that is not mounted yet; `check` and `start` report it.
 */
export function realFolder(path: string): Promise<string> {
  return realpath(path).catch(() => path)
}
