// Writes the list of commands for docs/commands.md, from what the command line registers. Pure.

import type { Argument, Command } from 'commander'

/** Options that mean the same for every command. The page explains them once, above the list. */
const sharedOptions = ['--json', '--yes', '--by', '--config']

/** Where a page says more about a command than its help can. Sub-commands are covered by their command. */
const readMore: Readonly<Record<string, string>> = {
  issue: '[what it waits for](#what-issue-waits-for), [files](files.md)',
  start: '[inboxes](files.md#how-an-inbox-works), [deployment](deployment.md), [metrics](metrics.md)',
  check: '[what it looks at](operations.md#check)',
  reconcile: '[revocations in the portal](operations.md#revocations-in-the-portal)',
  'trust-ledger': '[when sending is stopped](operations.md#when-sending-is-stopped)',
  approve: '[lists that are too large](lists.md#hold-lists-that-are-too-large)',
  adopt: '[a course that others have issued for](credentials.md#a-course-that-others-have-issued-for)',
  download: '[download and archive](credentials.md#download-and-archive-certificates)',
  export: '[privacy](privacy.md)',
  forget: '[privacy](privacy.md), [restore](upkeep.md#restore)',
  events: '[work with learning systems](lists.md#work-with-learning-systems)',
  notices: '[alerts](alerts.md)',
  console: '[the console](console.md)',
  courses: '[courses](courses.md)',
  sandbox: '[the sandbox](sandbox.md)',
  demo: '[in the image](deployment.md#try-the-image)',
}

/** Returns the list in Markdown: a heading for each group of the help, then its commands with their options. */
export function commandList(program: Command): string {
  const groups = Map.groupBy(program.commands, (command) => command.helpGroup().replace(/:$/, ''))
  return [...groups].map(([group, commands]) => `### ${group}\n\n${commands.map(linesOf).join('\n')}\n`).join('\n')
}

/** Returns the lines of a command, or of its sub-commands. */
function linesOf(command: Command): string {
  const lines = leavesOf(command, '').map(entryOf)
  const more = readMore[command.name()]
  if (!more) return lines.join('\n')
  const line = lines.length === 1 ? `  - More: ${more}.` : `- More about \`${command.name()}\`: ${more}.`
  return [...lines, line].join('\n')
}

interface Leaf {
  name: string
  command: Command
}

function leavesOf(command: Command, above: string): Leaf[] {
  const name = `${above}${command.name()}`
  if (command.commands.length === 0) return [{ name, command }]
  return command.commands.flatMap((below) => leavesOf(below, `${name} `))
}

function entryOf({ name, command }: Leaf): string {
  const { registeredArguments, options } = command
  const usage = [
    name,
    ...registeredArguments.map((argument) => placeholder(argument)),
    ...options.filter(({ mandatory }) => mandatory).map(({ flags }) => flags),
  ].join(' ')
  return [
    `- **\`${usage}\`**: ${command.description()}`,
    ...registeredArguments
      .filter(({ description }) => description)
      .map((argument) => `  - \`${placeholder(argument)}\`: ${argument.description}`),
    ...options
      .filter(({ long }) => !sharedOptions.includes(long ?? ''))
      .map(({ flags, description }) => `  - \`${flags}\`: ${description}`),
  ].join('\n')
}

function placeholder(argument: Argument): string {
  const name = `${argument.name()}${argument.variadic ? '...' : ''}`
  return argument.required ? `<${name}>` : `[${name}]`
}
