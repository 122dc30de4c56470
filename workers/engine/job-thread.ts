import { availableParallelism } from 'node:os'
import { dirname } from 'node:path'
import { workerData } from 'node:worker_threads'
import { CHECKED_BYTES_EACH, PARSED_BYTES_EACH } from '../import/import-tuning.ts'
import { warmThreads } from '../threads/thread-pool.ts'
import { serveJobs, type ThreadData } from './serve-jobs.ts'

// Before anything else: threads and devices start while the code of the job is loaded.
const { first, devices, bytes = 0 } = workerData as ThreadData
const warm = (each: number, task: string): void =>
  warmThreads(Math.min(availableParallelism(), Math.floor(bytes / each)), task)
if (first === 'link') warm(CHECKED_BYTES_EACH, 'ingest')
if (first === 'import') warm(PARSED_BYTES_EACH, 'ingest')
if (devices !== undefined) (await import('./prepare-early.ts')).prepareEarly(devices)

/** Entry of a thread that does jobs. */
serveJobs({
  import: async () => {
    const { importGraph } = await import('../import/import-graph.ts')
    const { requireRoomForImport } = await import('../import/estimate.ts')
    return (args, job) => {
      const requireRoom = (mayCopy: boolean): void => requireRoomForImport(args, dirname(args.folder), mayCopy)
      return importGraph(args, job, { requireRoom })
    }
  },
  link: async () => (await import('../import/canonical/import-canonical.ts')).importLink,
  store: async () => (await import('../import/canonical/import-canonical.ts')).storeLink,
  generate: async () => (await import('../jobs/generate-graph.ts')).generateGraph,
  sample: async () => (await import('../jobs/sample-cities.ts')).sampleCities,
  devices: async () => (await import('../device/open-device.ts')).surveyDevices,
  run: async () => (await import('../algorithms/run.ts')).runOnSoundInputs,
  'join-run': async () => (await import('../algorithms/run.ts')).joinRun,
  plan: async () => (await import('../jobs/plan.ts')).planWork,
  verify: async () => (await import('../jobs/verify-result.ts')).verifyResult,
  export: async () => (await import('../export/export-set.ts')).exportSet,
  'export-graph': async () => (await import('../export/formats/write-graph-file.ts')).writeGraphFile,
  degrees: async () => (await import('../graph/degrees.ts')).degreeDistribution,
  'graph-facts': async () => (await import('../explore/graph-facts.ts')).graphFacts,
  preview: async () => (await import('../import/preview/preview-file.ts')).previewFiles,
  'vertex-search': async () => (await import('../explore/opened-dataset.ts')).searchVertices,
  neighbourhood: async () => (await import('../explore/neighbourhood.ts')).neighbourhood,
  'result-rows': async () => (await import('../explore/result-rows.ts')).resultRows,
  overview: async () => (await import('../explore/overview.ts')).overview,
  layout: async () => (await import('../explore/force-layout.ts')).layoutOf,
  mpi: async () => {
    const { requireMpi } = await import('../exchange/mpi-library.ts')
    return () => ({ library: requireMpi().name })
  },
  'device-memory': async () => {
    const { liveMemory } = await import('../device/device-memory.ts')
    return (args) => liveMemory(args)
  },
})
