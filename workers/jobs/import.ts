import { importGraph } from '../import/import-graph.ts'
import type { JobContext } from '../base/job.ts'
import type { DatasetFacts, ImportArgs } from '../contract/jobs.ts'
import { requireRoomForImport } from './plan-import.ts'

/** Job `import`: what cannot fit is refused before it is read. */
export function importWithRoom(args: ImportArgs, job: JobContext): Promise<DatasetFacts> {
  requireRoomForImport(args)
  return importGraph(args, job, { beforeEntries: () => requireRoomForImport(args, false) })
}
