import { basename } from 'node:path'
import { datasetNameSchema, withoutEndings } from '../contract/dataset.ts'
import { usageFailure } from '../../workers/base/failure.ts'
import { generators, type Generator, type GraphModel } from '../../workers/contract/generators.ts'

/** @throws Failure (usage) */
export function checkedDatasetName(name: string): string {
  if (datasetNameSchema.safeParse(name).success) return name
  throw usageFailure(
    undefined,
    `a dataset cannot be called "${name}"`,
    'Write 1 to 100 characters without slashes, not starting with a dot or a hyphen.',
    [{ action: 'choose', option: 'name' }],
  )
}

export function nameOfFile(file: string): string {
  return withoutEndings(basename(file))
}

export function nameOfModel({ model, seed, shuffle = false, ...parameters }: GraphModel): string {
  const { called, isPattern = false }: Generator = generators[model]
  const numbers: Readonly<Record<string, unknown>> = parameters
  const name = called.replaceAll(/\{(\w+)\}/g, (_, parameter: string) => String(numbers[parameter]))
  return `${name}${shuffle ? '-shuffled' : ''}${seed === 1 || (isPattern && !shuffle) ? '' : `-seed${seed}`}`
}

export const nameOfSample = (radiusKm: number): string => `cities-${radiusKm}km`
