export function hardGraph(name: string): {
  readonly vertices: number
  readonly edges: [number, number][]
  readonly weights?: number[]
}
export function isHardGraph(name: string): boolean
