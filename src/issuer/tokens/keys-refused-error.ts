// Thrown when the service refuses the access key and secret, or accepts them only from other IP addresses.

export class KeysRefusedError extends Error {
  override name = 'KeysRefusedError'
  readonly status: number

  constructor(status: number) {
    super(
      `The service refused the access key and secret (HTTP ${status} at token). Check CREDSYNC_KEY and CREDSYNC_SECRET, and that they belong to this environment (development and production keys differ), and that the portal's IP list allows this machine.`,
    )
    this.status = status
  }
}
