// The arguments of a benchmark, such as `lists=1000,10000 top`.

const given = new Map(process.argv.slice(2).map((text) => text.split('=') as [string, string | undefined]))

export const isGiven = (name: string): boolean => given.has(name)

export const textsOf = (name: string): string[] | undefined => given.get(name)?.split(',')

export const numbersOf = (name: string, fallback: number[]): number[] => textsOf(name)?.map(Number) ?? fallback
