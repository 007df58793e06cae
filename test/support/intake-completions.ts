// Takes in a run as a worker with learning systems does: its rows may be completions.

import { intake } from '#jobs/intake.ts'
import { rowsOfSystem } from '#jobs/lms/rows-of-system.ts'

type IntakeTools = Parameters<typeof intake>[0]

export const intakeCompletions = (tools: IntakeTools, payload: { runId: string }) =>
  intake({ ...tools, rowsOf: (run) => rowsOfSystem(tools, run) }, payload)
