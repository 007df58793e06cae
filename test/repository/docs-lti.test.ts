// Runs the commands that docs/lti.md shows, as an administrator does who copies them.

import { execFile, spawnSync } from 'node:child_process'
import { mkdtemp, readFile, rm, stat, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { readPrivateKey, thumbprintOf } from '#src/extensions/lms/lti/signing-key.ts'
import { Secret } from '#src/platform/secret.ts'
import { clientId, openPlatform, toolKey } from '#test/src/extensions/lms/lti/lti-platform.ts'

const root = resolve(import.meta.dirname, '../..')
const page = await readFile(join(root, 'docs/lti.md'), 'utf8')

/** The indented block that contains this word, without its indent. */
function command(word: string): string {
  const blocks = [...page.matchAll(/^(?: {4}.*\n)+/gm)].map(([block]) => block.replaceAll(/^ {4}/gm, ''))
  const [found, another] = blocks.filter((block) => block.includes(word))
  if (!found || another) throw new Error(`docs/lti.md does not show exactly one command with ${word}`)
  return found
}

/** A folder in which the commands find what they find in the program's own, and leave their files. */
async function programFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'credsync-lti-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  for (const name of ['src', 'sandboxes', 'config', 'node_modules', 'package.json'])
    await symlink(join(root, name), join(folder, name))
  return folder
}

async function run(cwd: string, script: string, env: Record<string, string> = {}): Promise<string> {
  const { stdout } = await promisify(execFile)('bash', ['-ec', script], { cwd, env: { ...process.env, ...env } })
  return stdout
}

// Fails without openssl where everything must be tested.
const hasOpenssl = process.env.CI !== undefined || !spawnSync('openssl', ['version']).error

test.runIf(hasOpenssl)('the key pair and the key set are made by the commands shown', async () => {
  const folder = await programFolder()
  await run(folder, command('openssl genpkey'))
  expect((await stat(join(folder, 'lti.pem'))).mode & 0o777).toBe(0o600)
  await run(folder, command('jwks('))
  const pem = await readFile(join(folder, 'lti.pem'), 'utf8')
  const { keys } = JSON.parse(await readFile(join(folder, 'jwks.json'), 'utf8'))
  expect(keys).toMatchObject([{ kty: 'RSA', kid: await thumbprintOf(readPrivateKey(new Secret(pem))) }])
})

test('the line items are listed by the command shown', async () => {
  const platform = await openPlatform({ now: () => new Date() })
  const script = command('ags.lineItems')
    .replace(/CLIENT=\S+/, `CLIENT=${clientId}`)
    .replace(/TOKEN=\S+/, `TOKEN=${platform.tokenUrl}`)
    .replace(/LIST='[^']+'/, `LIST='${platform.lineItems}'`)
  const listed = await run(await programFolder(), script, { LTI_KEY: toolKey.reveal() })
  expect(listed).toContain(`url: '${platform.lineItem}'`)
  expect(listed).toContain("label: 'Credential (LTI)'")
})
