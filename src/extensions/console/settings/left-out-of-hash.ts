/** The console may differ between processes: only one of them serves it. Pure. */
export const withoutConsole = <File extends object>(file: File): File => ({ ...file, console: undefined })
