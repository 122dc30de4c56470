export interface OpenMpi {
  readonly mpirun: string | null
  readonly required: boolean
  readonly reason: string
}
export function findOpenMpi(): string | null
export function prepareOpenMpi(options?: { install?: boolean; log?: (line: string) => void }): OpenMpi
export const mpiEnvironment: Readonly<Record<string, string>>
