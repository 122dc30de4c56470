import { algorithmEntry } from '../../workers/contract/catalogue.ts'
import type { Run } from '../contract/run.ts'
import type { Library } from '../library/library.ts'

/** Where the set or the matching of a run lies. */
export function resultFile(library: Library, { id, request }: Pick<Run, 'id' | 'request'>): string {
  return algorithmEntry(request.algorithm)?.kind === 'matching' ? library.matesFile(id) : library.setFile(id)
}
