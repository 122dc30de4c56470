import { requireRoomForImport } from './algorithms/plan-import.ts'
import { liveMemory } from './device/live-memory.ts'
import { exportSet } from './export/export-set.ts'
import { writeGraphFile } from './export/formats/write-graph-file.ts'
import { neighbourhood } from './explore/neighbourhood.ts'
import { searchVertices } from './explore/vertex-search.ts'
import { degreeDistribution } from './graph/degrees.ts'
import { manageViews } from './graph/views/manage-views.ts'
import { generateGraph } from './ingest/generate-graph.ts'
import { importGraph } from './ingest/import-graph.ts'
import { previewFile } from './ingest/preview/preview-file.ts'
import { sampleCities } from './ingest/sample-cities.ts'
import type { JobContext } from './job.ts'
import type { DatasetFacts, ImportArgs } from './jobs.ts'
import { serveJobs } from './serve-jobs.ts'
import { verify } from './verification/verify.ts'

/** Entry of a thread that works on files and in memory only. */
serveJobs({
  import: importWithRoom,
  generate: generateGraph,
  sample: sampleCities,
  verify,
  export: exportSet,
  'export-graph': writeGraphFile,
  views: manageViews,
  degrees: degreeDistribution,
  preview: previewFile,
  'vertex-search': searchVertices,
  neighbourhood,
  'device-memory': (args) => liveMemory(args),
})

/** What cannot fit is refused before it is read. */
function importWithRoom(args: ImportArgs, job: JobContext): Promise<DatasetFacts> {
  requireRoomForImport(args)
  return importGraph(args, job, { beforeEntries: () => requireRoomForImport(args, false) })
}
