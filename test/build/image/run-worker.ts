// The worker, from the image, with a sandbox of the service from the same image: a list is handed over to it and
// issued, and its results are in the volume.

import { chownSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Container, Containers } from './containers.ts'

const list = 'e_mail,given,family\nada@example.org,Ada,Lovelace\ngrace@example.org,Grace,Hopper\n'
const longestWaitMs = 120_000

export async function runWorker(containers: Containers): Promise<void> {
  const { image, data, run, start } = containers
  const { User, Cmd, Healthcheck, Volumes, Labels } = image.config
  const [volume] = Object.keys(Volumes)
  console.log('── what the image says about itself')
  for (const [name, value] of Object.entries(Labels)) console.log(`${name}: ${value}`)

  console.log('── what its account may do')
  await expectRun(containers, ['id', '--user'], 0, User.split(':')[0])
  await expectRun(containers, ['touch', '/app/file'], 1, 'Read-only file system')
  await expectRun(containers, ['touch', '/tmp/file'], 1, 'Read-only file system')
  await expectRun(containers, ['touch', `${volume}/file`], 0, '')
  await expectRun(containers, ['stat', '--format=%A %U', `${volume}`], 0, 'drwx------ node')

  await using sandbox = start(['credsync', 'sandbox'])
  await until('the sandbox', sandbox, async () => /badgeTemplate: .+/.test(sandbox.output()))
  const env = Object.fromEntries(
    [...sandbox.output().matchAll(/^export (\w+)=(.+)$/gm)].map(([, name, value]) => [name, value]),
  )
  await containers.configure(configuration(sandbox.output()))

  console.log(`── ${Cmd.join(' ')}`)
  await using worker = start(Cmd, env)
  const [, ...probe] = Healthcheck.Test
  await until('the health check of the image', worker, async () => (await run(probe)).code === 0)
  console.log('The health check of the image succeeds.')
  await expectRun(containers, ['credsync', 'check'], 0, '', env)
  const file = join(data, 'first.csv')
  writeFileSync(file, list)
  chownSync(file, ...(User.split(':').map(Number) as [number, number]))
  await expectRun(
    containers,
    ['credsync', 'issue', `${volume}/first.csv`, '--pipeline', 'spring-cohort', '--wait'],
    0,
    '2 issued',
    env,
  )
  const [results = ''] = readdirSync(join(data, 'outbox')).filter((name) => name.includes('results'))
  console.log(`── ${volume}/outbox/${results}`)
  console.log(readFileSync(join(data, 'outbox', results), 'utf8').trimEnd())

  console.log('── SIGTERM')
  const { code } = await worker.stop()
  if (code !== 0) throw new Error(`The worker ended with code ${code}:\n${worker.output()}`)
  if (existsSync(join(image.folder, 'app/file'))) throw new Error('The image could be written to.')
  console.log('The worker ended with code 0.')
}

function configuration(ofSandbox: string): string {
  const uuid = (name: string) => new RegExp(`^ +${name}: (\\S+)$`, 'm').exec(ofSandbox)?.[1]
  return `
service: { environment: development }
pipelines:
  spring-cohort:
    course: ${uuid('course')}
    template: ${uuid('template')}
    badgeTemplate: ${uuid('badgeTemplate')}
    columns: { Email: e_mail, First Name: given, Last Name: family, Primary Value: { value: Email } }
reconcile: { every: 1s, slowest: 5s }
web: { host: 0.0.0.0, port: 8080 }
`
}

/** Runs a command to its end and shows it. @throws Error if the code is another one, or the output lacks `words` */
async function expectRun(
  { run }: Containers,
  command: readonly string[],
  expectedCode: number,
  words = '',
  env?: Record<string, string>,
): Promise<void> {
  console.log(`$ ${command.join(' ')}`)
  const { code, output } = await run(command, env)
  console.log(output.trimEnd())
  if (code !== expectedCode || !output.includes(words))
    throw new Error(`The command ended with code ${code} instead of ${expectedCode}, or did not print “${words}”.`)
}

async function until(what: string, container: Container, isThere: () => Promise<boolean>): Promise<void> {
  const failure = (why: string) => new Error(`${what}: ${why}\n${container.output()}`)
  const ended = container.ended.then(({ code }) => {
    throw failure(`the container ended with code ${code}`)
  })
  const deadline = performance.now() + longestWaitMs
  const waiting = (async () => {
    while (!(await isThere())) {
      if (performance.now() > deadline) throw failure(`not within ${longestWaitMs / 1_000} s`)
      await sleep(500)
    }
  })()
  await Promise.race([ended, waiting])
  // The race is over: what ends later is no failure of this wait.
  ended.catch(() => {})
}
