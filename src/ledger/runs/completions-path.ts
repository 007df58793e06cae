// Distinguishes runs of completions from a learning system from runs of a file, by their source path. Pure.

const prefix = 'completions:'

/** Returns the source path for a run of completions from a learning system. */
export const completionsPath = (system: string) => `${prefix}${system}`

/** SQL: whether the rows of a run are completions. @param run the alias of the run's table */
export const isOfCompletions = (run: string) => `starts_with(${run}.source_path, '${prefix}')`

/** Whether the rows of a run with this source path are completions stored in the ledger rather than rows of a file. */
export const isCompletionsPath = (sourcePath: string) => sourcePath.startsWith(prefix)
