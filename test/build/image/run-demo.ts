// The demo, from the image, on a server of PostgreSQL beside it.

import type { Containers } from './containers.ts'

export async function runDemo(containers: Containers): Promise<void> {
  await checkTools(containers)
  const command = ['credsync', 'demo']
  console.log(`── ${command.join(' ')}`)
  const { code, output } = await containers.run(command)
  console.log(output.trimEnd())
  if (code !== 0 || !output.includes('494 requests for 494 people'))
    throw new Error(`The demo ended with code ${code}, or did not issue to everyone once.`)
  const lms = await containers.run([...command, '--lms'])
  if (lms.code !== 0) throw new Error(`The demo of a learning system ended with code ${lms.code}:\n${lms.output}`)
  console.log('\n`credsync demo --lms` ends well, too; it drops the ledger of the first one.')
}

/** The Node that was tested is there, and nothing that installs packages. */
async function checkTools(containers: Containers): Promise<void> {
  const { output } = await containers.run(['sh', '-c', 'node --version && ls /usr/local/bin /usr/local/lib'])
  console.log(`── node --version && ls /usr/local/bin /usr/local/lib\n${output.trimEnd()}`)
  if (!output.startsWith(`${process.version}\n`) || /npm|npx|yarn|corepack/.test(output))
    throw new Error(`The image has another Node than ${process.version}, or something that installs packages.`)
}
