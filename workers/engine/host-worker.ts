import { availableParallelism } from 'node:os'
import { workerData } from 'node:worker_threads'
import { serveJobs, type ThreadData } from './serve-jobs.ts'
import { warmThreads } from '../threads/thread-pool.ts'

/** More of them are started when the file is known to be worth it: threads that start side by side slow each other down. */
const MOST_THREADS = 8

// Before anything else: threads start while the pool still reads the arguments of the first job, and while its code is loaded here.
if ((workerData as ThreadData).first === 'link')
  warmThreads(Math.min(MOST_THREADS, availableParallelism()), 'check-canonical')

/** Entry of a thread that works on files and in memory only. */
serveJobs({
  import: async () => (await import('../jobs/import.ts')).importWithRoom,
  link: async () => (await import('../import/canonical/import-link.ts')).importLink,
  store: async () => (await import('../import/canonical/import-link.ts')).storeLink,
  generate: async () => (await import('../jobs/generate-graph.ts')).generateGraph,
  sample: async () => (await import('../jobs/sample-cities.ts')).sampleCities,
  verify: async () => (await import('../verify/verify.ts')).verify,
  export: async () => (await import('../export/export-set.ts')).exportSet,
  'export-graph': async () => (await import('../export/formats/write-graph-file.ts')).writeGraphFile,
  degrees: async () => (await import('../graph/degrees.ts')).degreeDistribution,
  preview: async () => (await import('../import/preview/preview-file.ts')).previewFile,
  'vertex-search': async () => (await import('../explore/vertex-search.ts')).searchVertices,
  neighbourhood: async () => (await import('../explore/neighbourhood.ts')).neighbourhood,
  'device-memory': async () => {
    const { liveMemory } = await import('../device/live-memory.ts')
    return (args) => liveMemory(args)
  },
})
