// Runs a command in a workspace, with the workspace's configuration.

import type { Workspace } from './cli-workspace.ts'
import { runInProcess } from './run-in-process.ts'

/**
 * Runs `credsync ARGS` and returns exit code, stdout and stderr.
 * @param typed input at the terminal; without it there is no terminal
 */
export function runInWorkspace(workspace: Workspace, args: readonly string[], typed?: string) {
  return runInProcess([...args, '--config', 'credsync.yaml'], { cwd: workspace.folder, env: workspace.env, typed })
}
