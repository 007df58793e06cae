// Asks for confirmation before something is changed in the service: at the terminal, or by --yes.

import { createInterface } from 'node:readline/promises'
import { type Cli, say } from './cli-context.ts'
import { UsageError } from './exit-code.ts'
import { terminalSafeText } from './text/terminal-text.ts'

/**
 * Returns true if the person at the terminal agrees. Anything but `y` or `yes` means no, and so do the end of the input
 * and Ctrl-C.
 * @param question one sentence, without the choices: "Change the course?"
 * @param options.yes true if the command was called with --yes, which skips the question
 * @throws UsageError without a terminal and without --yes, because no one can answer
 */
export async function confirm(
  cli: Pick<Cli, 'stdin' | 'stderr' | 'signal'>,
  question: string,
  options: { yes?: boolean | undefined },
): Promise<boolean> {
  if (options.yes) return true
  if (!cli.stdin?.isTTY)
    throw new UsageError(
      `${question} This is not a terminal, so no one can confirm it. Check the output above, and add --yes to proceed. Nothing was changed.`,
    )
  const answer = await readLine(cli.stdin, cli, `${question} [y/N] `)
  if (/^\s*y(es)?\s*$/i.test(answer)) return true
  say(cli, 'Nothing was changed.')
  return false
}

async function readLine(
  input: NodeJS.ReadableStream,
  { stderr, signal }: Pick<Cli, 'stderr' | 'signal'>,
  prompt: string,
): Promise<string> {
  if (signal.aborted) return ''
  // In terminal mode, readline would intercept Ctrl-C, which must reach the signal handler.
  const lines = createInterface({ input, terminal: false })
  try {
    stderr.write(terminalSafeText(prompt))
    return await new Promise<string>((resolve) => {
      lines.once('line', resolve)
      lines.once('close', () => resolve(''))
      signal.addEventListener('abort', () => resolve(''), { once: true })
    })
  } finally {
    lines.close()
    input.pause()
  }
}
