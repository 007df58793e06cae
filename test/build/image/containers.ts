// Starts programs from the image as compose.yaml and the Kubernetes manifest do, with the tools of the kernel instead
// of an engine: the root file system is read-only, the user is the one of the image, there are no privileges, and only
// the volume can be written to. Networks are not separated.

import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { chmod, chown, mkdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Image } from './build-image.ts'

export interface Containers {
  image: Image
  /** The volume, on this machine. */
  data: string
  /** Writes the file that is mounted as config/credsync.yaml. */
  configure(text: string): Promise<void>
  /** Runs a command to its end. */
  run(command: readonly string[], env?: Record<string, string>): Promise<Ended>
  start(command: readonly string[], env?: Record<string, string>): Container
}

export interface Ended {
  code: number | null
  output: string
}

export interface Container extends AsyncDisposable {
  /** What it has printed so far, of both streams. */
  output(): string
  ended: Promise<Ended>
  /** Sends SIGTERM to the first process of the container, as an engine does. */
  stop(): Promise<Ended>
}

/** With the arguments: the folders of the image, the volume, the secrets and the configuration. */
const enter = `
set -e
root=$1 data=$2 volume=$3 run=$4 config=$5 user=$6 group=$7
shift 7
mount --bind "$root" "$root"
mount --bind "$data" "$root$volume"
mount --bind --options ro "$run" "$root/run"
mount --bind --options ro "$config" "$root/app/config/credsync.yaml"
mount -t proc proc "$root/proc"
mount --rbind /dev "$root/dev"
mount --options remount,bind,ro "$root"
exec chroot "$root" setpriv --reuid="$user" --regid="$group" --clear-groups --no-new-privs --bounding-set=-all \\
  --inh-caps=-all env --ignore-environment "$@"
`

export async function openContainers(image: Image, folder: string, databaseUrl: string): Promise<Containers> {
  const { User, WorkingDir, Env, Volumes } = image.config
  const [user = '', group = ''] = User.split(':')
  const [volume = ''] = Object.keys(Volumes)
  const [data, secrets] = [join(folder, 'data'), join(folder, 'secrets')]
  // A new named volume gets the owner and mode that the folder has in the image.
  const inImage = await stat(join(image.folder, volume))
  await mkdir(data)
  await chmod(data, inImage.mode)
  await chown(data, inImage.uid, inImage.gid)
  await mkdir(secrets)
  await writeFile(join(secrets, 'database_url'), databaseUrl)
  const config = join(folder, 'credsync.yaml')
  await writeFile(config, '')
  // An engine creates what it mounts something on.
  await writeFile(join(image.folder, 'app/config/credsync.yaml'), '')

  function start(command: readonly string[], env: Record<string, string> = {}): Container {
    const all = [
      ...Env,
      ...Object.entries({ DATABASE_URL_FILE: '/run/database_url', ...env }).map((each) => each.join('=')),
    ]
    const child = spawn(
      'unshare',
      [
        ...['--mount', '--pid', '--fork', '--kill-child', 'sh', '-c', enter, 'sh'],
        ...[image.folder, data, volume, secrets, config, user, group],
        ...[`--chdir=${WorkingDir}`, ...all, ...command],
      ],
      { stdio: ['ignore', 'pipe', 'pipe'] },
    )
    return containerOf(child)
  }

  return {
    ...{ image, data, start },
    configure: (text) => writeFile(config, text),
    run: (command, env) => start(command, env).ended,
  }
}

function containerOf(child: ChildProcess): Container {
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
  const ended = new Promise<Ended>((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code) => resolve({ code, output }))
  })
  const signal = (name: NodeJS.Signals) => {
    if (child.exitCode !== null || child.signalCode !== null) return
    // unshare waits for its only child, and passes no signal on to it.
    const children = readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8').trim()
    if (children) process.kill(Number(children), name)
  }
  const stop = (name: NodeJS.Signals) => {
    signal(name)
    return ended
  }
  return {
    ended,
    output: () => output,
    stop: () => stop('SIGTERM'),
    async [Symbol.asyncDispose]() {
      await stop('SIGKILL')
    },
  }
}
