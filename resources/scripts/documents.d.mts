export function madeDocuments(): Promise<ReadonlyMap<string, string>>
