// Which version this is: the one of package.json, so that it stands in one place.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Such as 0.1.0. */
export const version: string = JSON.parse(
  readFileSync(join(import.meta.dirname, '..', '..', 'package.json'), 'utf8'),
).version
