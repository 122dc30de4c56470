export function findPython(): string | null
export function findPythonOfBackends(): string | null
export function findR(): string | null
export function prepareLanguages(options: { readonly install: boolean; readonly log: (line: string) => void }): void
