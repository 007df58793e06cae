// credsync notify --test NAME: sends one message to a recipient of the configuration, to see that it arrives. Calls the
// mail server or the hook; does not open the ledger.

import { randomUUID } from 'node:crypto'
import { type Cli, say, settingsFor } from '#src/cli/cli-context.ts'
import { type ExitCode, exitCode, UsageError } from '#src/cli/exit-code.ts'
import { composeMessage } from '#src/extensions/notices/compose-message.ts'
import { openNotices } from '#src/extensions/notices/open-notices.ts'
import { openLmsHttp } from '#src/platform/http/http-client.ts'

export async function notifyCommand(cli: Cli, options: { config?: string; test: string }): Promise<ExitCode> {
  const { file } = await settingsFor(cli, options)
  const wire = openLmsHttp(cli.clock)
  try {
    const notices = openNotices(file, { send: wire.send, clock: cli.clock }, [])
    const recipient = notices.recipients.find(({ name }) => name === options.test)
    if (!recipient) throw new UsageError(unknownRecipient(options.test, notices.recipients))
    const now = cli.clock.now()
    const test = { id: 0, key: 'test', kind: 'test', pipeline: null, facts: { about: 'test' } }
    const words = composeMessage([{ ...test, change: 'opened', since: now, at: now }], {
      ...{ environment: file.service.environment, now },
      link: notices.settings?.console ?? null,
    })
    const { channel } = recipient
    const result = await channel.send({ id: randomUUID(), createdAt: now, words }, cli.signal)
    if (result.kind !== 'delivered')
      throw new UsageError(`The message was not accepted (${channel.description}): ${result.problem}.`)
    say(cli, `The message was accepted (${channel.description}). Check whether it has arrived.`)
    if (result.problem === null) return exitCode.ok
    throw new UsageError(`But ${result.problem}.`)
  } finally {
    await wire.close()
  }
}

function unknownRecipient(name: string, recipients: readonly { name: string }[]): string {
  const known = recipients.length > 0 ? `It has: ${recipients.map((each) => each.name).join(', ')}.` : 'It has none.'
  return `The configuration has no recipient ${name} in notify.to. ${known}`
}
