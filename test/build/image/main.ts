// `npm run test:image [-- NODE_IMAGE]`: builds the Dockerfile with buildah, and runs a demo and a worker from the image
// against a PostgreSQL beside it. Needs root, and no Docker. Without NODE_IMAGE, a Debian with the Node and npm of this
// machine stands in for the official image.

import { spawnSync } from 'node:child_process'
import { chmod, mkdir, mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openEmbeddedPostgres } from '#src/platform/database/embedded-postgres.ts'
import { systemClock } from '#src/platform/time/clock.ts'
import { buildImage, checkSize, run } from './build-image.ts'
import { openContainers } from './containers.ts'
import { runDemo } from './run-demo.ts'
import { runWorker } from './run-worker.ts'

const [, , nodeImage] = process.argv

refuseWithoutTools()
await using stack = new AsyncDisposableStack()
const folder = await mkdtemp(join(tmpdir(), 'credsync-image-'))
// Never what a build that was interrupted has left mounted there.
stack.defer(() => void run('rm', ['--recursive', '--force', '--one-file-system', folder]))
// PostgreSQL has an account of its own, which must be able to enter.
await chmod(folder, 0o755)
const image = await buildImage(folder, nodeImage)
stack.defer(() => image.unmount())
checkSize(image)

await mkdir(join(folder, 'postgres-of-the-image'))
const postgres = await openEmbeddedPostgres({ dataDir: join(folder, 'postgres-of-the-image'), clock: systemClock })
stack.defer(async () => void (await postgres.release()))
const containers = await openContainers(image, folder, postgres.url)
await runDemo(containers)
await runWorker(containers)
console.log('\nThe image does what docs/deployment.md says.')

function refuseWithoutTools(): void {
  const tools = ['buildah', ...(nodeImage ? [] : ['debootstrap'])]
  const missing = tools.filter((tool) => spawnSync('which', [tool]).status !== 0)
  const reasons = [
    ...(process.getuid?.() === 0 ? [] : ['It has to run as root, because buildah has to mount file systems.']),
    ...(missing.length > 0 ? [`These are missing: ${missing.join(', ')}. apt-get install ${missing.join(' ')}`] : []),
  ]
  if (reasons.length === 0) return
  console.error(['The image cannot be tested here.', ...reasons].join('\n'))
  process.exit(2)
}
