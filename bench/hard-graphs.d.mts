export function hardGraph(name: string): { readonly vertices: number; readonly edges: [number, number][] }
