// The package-lock.json of an empty folder in which the packed credsync is installed: with the same packages as in this
// checkout, so that npm finds them in its cache and a machine without a registry can run the test.

interface Entry {
  name?: string
  version: string
  dev?: boolean
  devOptional?: boolean
  devDependencies?: unknown
  resolved?: string
}

export function lockOfInstalled(lock: { packages: Record<string, Entry> }, tarball: string): object {
  const { '': own, ...others } = lock.packages
  const { name, devDependencies: _, ...credsync } = own as Entry
  const used = Object.entries(others).filter(([, { dev }]) => dev !== true)
  return {
    lockfileVersion: 3,
    requires: true,
    packages: {
      '': { dependencies: { credsync: `file:${tarball}` } },
      'node_modules/credsync': { ...credsync, resolved: `file:${tarball}` },
      ...Object.fromEntries(used),
    },
  }
}
