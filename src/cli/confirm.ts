// Asks before something is changed at the service: a word at the terminal, or --yes.

import { createInterface } from 'node:readline/promises'
import { UsageError } from './exit-code.ts'
import { type Cli, say } from './surroundings.ts'

/**
 * Whether the person at the terminal says yes. Anything but `y` or `yes` is no, and so are the end of the input and Ctrl-C.
 * @param question one sentence, without the choices: "Change the course?"
 * @param options.yes the word was given with the command; nothing is asked
 * @throws UsageError without a terminal and without --yes: nobody is there to be asked
 */
export async function confirm(
  cli: Pick<Cli, 'stdin' | 'stderr' | 'signal'>,
  question: string,
  options: { yes?: boolean | undefined },
): Promise<boolean> {
  if (options.yes) return true
  if (!cli.stdin?.isTTY)
    throw new UsageError(
      `${question} Nobody can be asked, because this is no terminal. Look at what is shown, and say --yes to do it. Nothing was changed.`,
    )
  const word = await readLine(cli.stdin, cli, `${question} [y/N] `)
  if (/^\s*y(es)?\s*$/i.test(word)) return true
  say(cli, 'Nothing was changed.')
  return false
}

async function readLine(
  input: NodeJS.ReadableStream,
  { stderr, signal }: Pick<Cli, 'stderr' | 'signal'>,
  words: string,
): Promise<string> {
  if (signal.aborted) return ''
  // Not in the manner of a terminal: then readline would swallow Ctrl-C, which is the signal's.
  const lines = createInterface({ input, terminal: false })
  try {
    stderr.write(words)
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
