// Builds the image as the Dockerfile says, on a base that is given or that stands in for the official one.

import { spawnSync } from 'node:child_process'
import { existsSync, realpathSync } from 'node:fs'
import { cp, mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join, resolve } from 'node:path'

const root = resolve(import.meta.dirname, '../../..')
const standIn = 'localhost/stand-in-for-node'

export interface Image {
  /** The file system, as a container would get it. May be written to, as an engine does to mount something. */
  folder: string
  /** What the image says about itself, as an engine reads it. */
  config: {
    User: string
    WorkingDir: string
    Env: string[]
    Cmd: string[]
    Labels: Record<string, string>
    Volumes: Record<string, object>
    Healthcheck: { Test: string[] }
  }
  /** Bytes. */
  sizes: { debian: number; node: number; credsync: number }
  unmount(): void
}

/** Bytes: the goal for everything but Node. */
const largest = 250e6

export async function buildImage(folder: string, nodeImage: string | undefined): Promise<Image> {
  const store = ['--storage-driver=vfs', `--root=${join(folder, 'store')}`, `--runroot=${join(folder, 'run')}`]
  const buildah = (...args: string[]) => run('buildah', [...store, ...args])
  if (!nodeImage) await makeStandIn(buildah)
  console.log(`── buildah build, on ${nodeImage ?? 'a Debian with the Node and npm of this machine'}`)
  const revision = run('git', ['-C', root, 'rev-parse', 'HEAD'])
  // In Docker's format, because the other one has no health check.
  const options = ['--isolation=chroot', '--format=docker', '--tag=credsync', `--build-arg=REVISION=${revision}`]
  buildah(
    'build',
    ...options,
    `--build-arg=NODE_IMAGE=${nodeImage ?? standIn}`,
    ...(await npmOfThisMachine(folder)),
    root,
  )
  const mounted = (name: string) => buildah('mount', buildah('from', '--pull-never', name))
  const base = mounted(nodeImage ?? standIn)
  const whole = mounted('credsync')
  const node = bytesOf(join(base, 'usr/local/bin')) + bytesOf(join(base, 'usr/local/lib'))
  const { Docker } = JSON.parse(buildah('inspect', '--type=image', 'credsync'))
  return {
    folder: whole,
    config: Docker.config,
    sizes: { debian: bytesOf(base) - node, node, credsync: bytesOf(whole) - bytesOf(base) },
    unmount: () => void buildah('rm', '--all'),
  }
}

export function checkSize({ sizes: { debian, node, credsync } }: Image): void {
  const mb = (bytes: number) => `${Math.round(bytes / 1e6)} MB`
  console.log(`Unpacked: credsync ${mb(credsync)}, Debian ${mb(debian)}, Node and npm ${mb(node)}.`)
  if (debian + credsync > largest)
    throw new Error(`Without Node, the image has ${mb(debian + credsync)}, more than ${mb(largest)}.`)
}

/** What the Dockerfile needs of the official image: Debian, Node and npm below /usr/local, and the account `node`. */
async function makeStandIn(buildah: (...args: string[]) => string): Promise<void> {
  console.log('── debootstrap: a Debian that stands in for the official image of Node')
  const container = buildah('from', 'scratch')
  const base = buildah('mount', container)
  run('debootstrap', ['--variant=minbase', 'bookworm', base])
  const local = join(base, 'usr/local')
  await cp(join(root, 'node_modules/node/bin/node'), join(local, 'bin/node'))
  const npm = resolve(realpathSync(run('which', ['npm'])), '../..')
  await mkdir(join(local, 'lib/node_modules'), { recursive: true })
  await cp(npm, join(local, 'lib/node_modules/npm'), { recursive: true })
  await symlink('../lib/node_modules/npm/bin/npm-cli.js', join(local, 'bin/npm'))
  run('chroot', [base, 'useradd', '--uid=1000', '--user-group', '--create-home', 'node'])
  run('chroot', [base, 'sh', '-c', 'apt-get clean && rm -rf /var/lib/apt/lists/*'])
  await writeFile(join(base, 'etc/resolv.conf'), '')
  buildah('commit', '--quiet', container, standIn)
  buildah('rm', container)
}

/** The settings of npm on this machine, which may name a registry or an authority of its own. Mounted, not copied. */
async function npmOfThisMachine(folder: string): Promise<string[]> {
  const settings = join(homedir(), '.npmrc')
  const own = existsSync(settings) ? await readFile(settings, 'utf8') : ''
  const authority = process.env.NODE_EXTRA_CA_CERTS ?? run('npm', ['config', 'get', 'cafile'])
  const mounted = join(folder, 'npmrc')
  const hasAuthority = existsSync(authority)
  await writeFile(mounted, `${own}\n${hasAuthority ? `cafile=${authority}` : ''}\n`, { mode: 0o600 })
  return [`--volume=${mounted}:/root/.npmrc:ro`, ...(hasAuthority ? [`--volume=${authority}:${authority}:ro`] : [])]
}

const bytesOf = (folder: string) => Number(run('du', ['--summarize', '--bytes', folder]).split('\t')[0])

/** Returns the output. @throws Error with the end of what the program printed */
export function run(program: string, args: readonly string[]): string {
  const { status, stdout, stderr, error } = spawnSync(program, args, {
    ...{ cwd: dirname(root), encoding: 'utf8', maxBuffer: 64 * 2 ** 20 },
  })
  if (status === 0) return stdout.trim()
  const last = `${stdout}\n${stderr}`.trim().split('\n').slice(-30).join('\n')
  throw new Error(`${program} ${args.join(' ')} failed (${status ?? error?.message}):\n${last}`)
}
