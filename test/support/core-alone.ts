// The program without its extensions: their folders are deleted, and in what joins them to the core each line that
// names what they export. Nothing else is changed, so the rest is what remains when somebody deletes them by hand.

import { cp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'

const root = resolve(import.meta.dirname, '../..')

/** Copies the program without its extensions into the folder. */
export async function copyCoreTo(folder: string): Promise<void> {
  for (const part of ['src', 'jobs', 'config', 'sandboxes', 'package.json', 'tsconfig.json'])
    await cp(join(root, part), join(folder, part), { recursive: true })
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
  const extensions = await readdir(join(folder, 'src/extensions'))
  for (const path of ['src/extensions', ...extensions.map((name) => `jobs/${name}`)])
    await rm(join(folder, path), { recursive: true, force: true })
  const isGone = (path: string) =>
    path.startsWith('src/extensions/') || extensions.some((name) => path.startsWith(`jobs/${name}/`))
  for (const part of ['src', 'jobs', 'config'])
    for (const name of await readdir(join(folder, part), { recursive: true })) {
      if (!name.endsWith('.ts')) continue
      const path = join(part, name)
      const text = await readFile(join(folder, path), 'utf8')
      const left = withoutLinesOf(text, (specifier) =>
        isGone(specifier.startsWith('#') ? specifier.slice(1) : join(dirname(path), specifier)),
      )
      if (left !== text) await writeFile(join(folder, path), left)
    }
}

const staticImport = /^import (?:type )?([^'";]*?) from '([^']+)'\n/gm
const lateImport = /^ *const \{ ([^}]*) \} = await import\('([^']+)'\)\n/gm

/** Removes the imports of what is gone, and each line that names something imported by them. Pure. */
function withoutLinesOf(text: string, isGone: (specifier: string) => boolean): string {
  const names: string[] = []
  const withoutImports = [staticImport, lateImport].reduce(
    (left, pattern) =>
      left.replace(pattern, (statement: string, imported: string, specifier: string) => {
        if (!isGone(specifier)) return statement
        names.push(...namesIn(imported))
        return ''
      }),
    text,
  )
  if (names.length === 0) return text
  const lines = withoutImports.split('\n')
  // What is declared by a line that goes, goes as well.
  for (let at = 0; at < names.length; at += 1) {
    const mentions = new RegExp(`(?<![\\w'-])(?<!(?<!\\.\\.)\\.)${names[at]}\\b(?![':])`)
    const inList = new RegExp(`(?<=\\[(?:\\w+, )*)${names[at]}(?:, |(?=\\]))`)
    for (const [index, line] of lines.entries()) {
      if (line.startsWith('//') || line.startsWith(' *') || !mentions.test(line)) continue
      if (inList.test(line)) {
        lines[index] = line.replace(inList, '').replace(', ]', ']')
        continue
      }
      const declared = /^ *(?:export )?(?:const|type|await using) (\w+|\{[^}]*\})/.exec(line)?.[1]
      if (declared) names.push(...namesIn(declared).filter((name) => !names.includes(name)))
      lines[index] = '\0'
    }
  }
  return lines.filter((line) => line !== '\0').join('\n')
}

const namesIn = (imported: string) =>
  imported
    .replace(/[{}]|\btype /g, ' ')
    .split(',')
    .map(
      (each) =>
        each
          .trim()
          .split(/ as |: /)
          .at(-1) ?? '',
    )
    .filter((name) => name !== '')
