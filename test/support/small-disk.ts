// A disk that is really full: a small file system in memory. Only root may make one, or somebody who needs no password
// for sudo.

import { spawnSync } from 'node:child_process'
import { mkdir } from 'node:fs/promises'
import { userInfo } from 'node:os'
import { describe } from 'vitest'
import { reportMissingServer } from './describe-with-redis.ts'

const { uid, gid } = userInfo()

function asRoot(...command: string[]): boolean {
  const [program = '', ...args] = uid === 0 ? command : ['sudo', '-n', ...command]
  return spawnSync(program, args, { stdio: 'ignore' }).status === 0
}

const canMount = process.platform === 'linux' && asRoot('unshare', '--mount', 'mount', '-t', 'tmpfs', 'none', '/mnt')

/** Runs the suite where a disk can be made. If CI is set and it cannot, that is a failure. */
export function describeWithSmallDisk(name: string, suite: () => void): void {
  if (canMount) describe(name, suite)
  else reportMissingServer(name, 'right to mount a file system', 'up sudo without a password')
}

/**
 * Makes a disk at `folder`, which takes `kibibytes` of content in at most `files` files and folders.
 */
export async function mountSmallDisk(
  folder: string,
  { kibibytes = 64_000, files = 1_000 }: { kibibytes?: number; files?: number },
): Promise<Disposable> {
  await mkdir(folder, { recursive: true })
  // The folder itself counts as one.
  const options = `size=${kibibytes}k,nr_inodes=${files + 1},uid=${uid},gid=${gid},mode=700`
  if (!asRoot('mount', '-t', 'tmpfs', '-o', options, 'none', folder)) throw new Error(`No disk at ${folder}.`)
  return { [Symbol.dispose]: () => void asRoot('umount', '--lazy', folder) }
}
