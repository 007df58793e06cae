// The modules that courses are composed of.

import { uuidFor } from '#sandboxes/service/uuid.ts'

const module = (
  code: string,
  name: string,
  max_marks: number,
  type: 'Core' | 'Non Core' = 'Core',
  is_active = true,
) => ({
  name,
  module_uuid: uuidFor(`module ${code}`),
  is_active,
  code,
  max_marks,
  moduleType: { type },
})

export const modules = [
  module('ARC-1', 'Arc welding', 100),
  module('ARC-2', 'Reading of drawings', 60),
  module('ARC-3', 'History of welding', 20, 'Non Core'),
  module('SAF-1', 'Duties of the employer', 50),
  module('SAF-2', 'Fire and escape routes', 50),
  module('SAF-3', 'First aid', 100, 'Non Core'),
  module('CRN-1', 'Load charts', 80),
  module('CRN-2', 'Hand signals', 40),
  module('NET-1', 'Addresses and routes', 100),
  module('NET-2', 'Firewalls', 100),
  module('NET-3', 'Telegraphy', 30, 'Non Core', false),
  module('ACA-1', 'Scientific writing', 100),
  module('ACA-2', 'Statistics', 120),
]
