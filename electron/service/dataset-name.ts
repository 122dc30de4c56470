import { basename } from 'node:path'
import { datasetNameSchema, withoutEndings } from '../contract/dataset.ts'
import { usageFailure } from '../../workers/base/failure.ts'
import type { GraphModel } from '../../workers/contract/generators.ts'

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

export function nameOfModel(model: GraphModel): string {
  const seed = `${model.shuffle === true ? '-shuffled' : ''}${model.seed === 1 ? '' : `-seed${model.seed}`}`
  switch (model.model) {
    case 'rmat':
      return `rmat-${model.scale}s-${model.edgeFactor}ef${seed}`
    case 'uniform':
      return `uniform-${model.vertices}-d${model.degree}${seed}`
    case 'grid':
      return `grid-${model.rows}x${model.columns}${model.shuffle === true ? seed : ''}`
    case 'grid3':
      return `grid-${model.width}x${model.height}x${model.depth}${model.shuffle === true ? seed : ''}`
    case 'torus3':
      return `torus-${model.width}x${model.height}x${model.depth}${model.shuffle === true ? seed : ''}`
    case 'kout':
    case 'regular':
    case 'geometric':
      return `${model.model}-${model.vertices}-d${model.degree}${seed}`
    case 'chains':
      return `chains-${model.vertices}-l${model.length}${seed}`
    case 'star':
    case 'clique':
      return `${model.model}-${model.vertices}${model.shuffle === true ? seed : ''}`
  }
}

export const nameOfSample = (radiusKm: number): string => `cities-${radiusKm}km`
