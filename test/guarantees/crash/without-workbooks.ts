// Loaded before the child: replaces exceljs, which a worker that reads and writes only CSV never uses. Measured: this
// saves a quarter of the start time.

import { registerHooks } from 'node:module'

registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'exceljs'
      ? { url: 'data:text/javascript,export default {}', shortCircuit: true }
      : next(specifier, context),
})
