export const runPath = (id: string): string => `/run/${encodeURIComponent(id)}`
export const datasetPath = (name: string): string => `/dataset/${encodeURIComponent(name)}`
export const explorePath = (dataset: string): string => `/explore/${encodeURIComponent(dataset)}`
