import { importGraph } from '../import/import-graph.ts'
import type { JobContext } from '../base/job.ts'
import type { DatasetFacts, ImportArgs } from '../contract/jobs.ts'
import { requireRoomForImport } from './plan-import.ts'

/** Job `import`: what cannot fit is refused before it is read; lines that fit in memory, before they are written. */
export function importWithRoom(args: ImportArgs, job: JobContext): Promise<DatasetFacts> {
  return importGraph(args, job, { requireRoom: (mayCopy) => requireRoomForImport(args, mayCopy) })
}
