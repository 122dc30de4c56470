import { algorithmEntry } from '../../workers/contract/catalogue.ts'
import type { Run } from '../contract/run.ts'
import type { Library } from '../library/library.ts'

/** Where the result of a run is stored. */
export function resultFile(library: Library, { id, request }: Pick<Run, 'id' | 'request'>): string {
  return library.resultFile(id, algorithmEntry(request.algorithm)?.kind ?? 'independent-set')
}
