// Registers the command that downloads certificates.

import { type CommandRegistry, jsonOption } from '#src/cli/command-registry.ts'
import { untilInterrupted } from '#src/cli/until-interrupted.ts'
import type { DownloadOptions } from './download.ts'

export function registerDownload({ cli, command, end, group }: CommandRegistry): void {
  group('Credentials:')
  command('download', 'download certificates into a folder; run it again to download what is missing there')
    .argument('<ids...>', 'credential ids, entity uuids, or issuance ids such as i42')
    .requiredOption('--to <dir>', 'the folder; created if only its last level is missing (required)')
    .option(...jsonOption)
    .action(async (ids: string[], options: DownloadOptions) => {
      const { downloadCommand } = await import('./download.ts')
      end(await untilInterrupted(cli, downloadCommand(cli, ids, options)))
    })
}
