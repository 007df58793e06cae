// What becomes of a command when nobody takes its output any more.

interface Output {
  on(event: 'error', heard: (error: NodeJS.ErrnoException) => void): unknown
  write(text: string): unknown
}

/**
 * A reader that has seen enough (`| head`) closes the pipe: that is its wish and no fault, so the rest goes nowhere and the command ends as it
 * would have. It is not ended by it, as most Unix programs are: a list that is being issued must not depend on who reads along. Any other
 * fault, such as a full disk, is said once, for then somebody lacks a result that he wanted.
 * @returns the code to end with: the command's own, but 1 for 0 where output was lost
 */
export function watchOutput({ stdout, stderr }: { stdout: Output; stderr: Output }): (code: number) => number {
  let lost = false
  stderr.on('error', () => {})
  stdout.on('error', ({ code = 'unknown' }) => {
    if (code === 'EPIPE' || code === 'ERR_STREAM_DESTROYED' || lost) return
    lost = true
    stderr.write(
      `The results could not be written to stdout (${code}). See whether its disk is full, and say the command again.\n`,
    )
  })
  return (code) => (lost && code === 0 ? 1 : code)
}
