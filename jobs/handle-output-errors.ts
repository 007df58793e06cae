// Handles errors of stdout and stderr, such as a pipe that its reader has closed.

interface Output {
  on(event: 'error', listener: (error: NodeJS.ErrnoException) => void): unknown
  write(text: string): unknown
}

/**
 * Lets a command finish when its output can no longer be written. A reader such as `head` closes the pipe when it has
 * read enough. That is not an error: the remaining output is dropped and the command ends as usual. Most Unix programs
 * would be terminated, but issuing a list must not depend on a reader. Any other fault, such as a full disk, is
 * reported once, because a result is missing.
 * @returns a function that converts the command's exit code to that of the process: 0 becomes 1 if output was lost
 */
export function handleOutputErrors({ stdout, stderr }: { stdout: Output; stderr: Output }): (code: number) => number {
  let isOutputLost = false
  stderr.on('error', () => {})
  stdout.on('error', ({ code = 'unknown' }) => {
    if (code === 'EPIPE' || code === 'ERR_STREAM_DESTROYED' || isOutputLost) return
    isOutputLost = true
    stderr.write(
      `The results could not be written to stdout (${code}). Check whether the disk of that file is full, then run the command again.\n`,
    )
  })
  return (code) => (isOutputLost && code === 0 ? 1 : code)
}
