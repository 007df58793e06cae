// Distinguishes runs whose rows came from another system from runs of a file, by their source path. Pure.

const prefix = 'completions:'

/** The source path of a run of completions of a learning system. */
export const completionsPath = (system: string) => `${prefix}${system}`

/** SQL: whether the rows of a run are completions. @param run its table */
export const isOfCompletions = (run: string) => `starts_with(${run}.source_path, '${prefix}')`

/** Whether the rows of a run with this source path are completions in the ledger, instead of rows of a file. */
export const isCompletionsPath = (sourcePath: string) => sourcePath.startsWith(prefix)
