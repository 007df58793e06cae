// The entry point of a reading thread if credsync runs from TypeScript. It is plain JavaScript, so that no types have
// to be stripped in the thread, and loads the modules that the process passes to it (thread-modules.ts).

import { registerHooks } from 'node:module'
import { workerData } from 'node:worker_threads'

// A module that was not passed must fail to load, instead of silently loading the type stripper's WebAssembly.
delete globalThis.WebAssembly

const { entry, modules } = workerData.code
registerHooks({
  resolve(specifier, context, next) {
    const url = modules[context.parentURL]?.imports[specifier]
    return url === undefined ? next(specifier, context) : { url, format: 'module', shortCircuit: true }
  },
  load(url, context, next) {
    const known = modules[url]
    return known ? { source: known.source, format: 'module', shortCircuit: true } : next(url, context)
  },
})
await import(entry)
